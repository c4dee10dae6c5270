// Keeps a page as things are: fetches it anew every 2 s, or as soon as something changes where the page can wait for that, and puts it in
// the old one's place. Clocks count on in between. Everything works without this, too. In the words of browsers of 2016, for old
// telephones.
(function () {
  "use strict";
  var body = document.body, lost = document.getElementById("lost"), alarm = document.getElementById("alarm");
  var said = body.getAttribute("data-live"), page = document.getElementById("page");
  var heard = Date.now(), shown = Date.now(), last = page.innerHTML, urgent = "";
  if (said === null || !window.fetch || !window.DOMParser) { return; }

  function sign() {
    var live = document.getElementById("live");
    if (live) { live.textContent = lost.hidden ? "● " + said : ""; }
  }

  // What is urgent is read aloud once.
  function cry() {
    var card = page.querySelector("[data-alarm]"), now = card ? card.getAttribute("data-alarm") : "";
    if (now !== urgent) { urgent = now; alarm.textContent = now; }
  }

  // Nothing can be ordered while nothing is heard.
  function mark(isLost) {
    lost.hidden = !isLost;
    sign();
    Array.prototype.forEach.call(page.querySelectorAll("button"), function (one) {
      one.disabled = isLost || one.hasAttribute("data-off");
    });
  }

  function two(number) { return (number < 10 ? "0" : "") + number; }

  function count() {
    var passed = Date.now() - shown;
    Array.prototype.forEach.call(page.querySelectorAll("[data-left]"), function (clock) {
      var left = Math.ceil(Math.max(0, Number(clock.getAttribute("data-left")) - passed) / 1000);
      var hours = Math.floor(left / 3600), minutes = Math.floor(left / 60) % 60;
      clock.textContent = (hours ? hours + ":" + two(minutes) : minutes) + ":" + two(left % 60);
    });
  }

  // What people have opened and are typing stays while the page is replaced.
  function keep() {
    var kept = [], open = page.querySelector("details[open]"), typing = document.activeElement;
    Array.prototype.forEach.call(page.querySelectorAll("input[id]:not([type])"), function (field) {
      kept.push({ id: field.id, value: field.value, here: field === typing });
    });
    return function () {
      var details = page.querySelector("details");
      if (open && details) { details.open = true; }
      kept.forEach(function (one) {
        var field = document.getElementById(one.id);
        if (!field) { return; }
        field.value = one.value;
        if (one.here) { field.focus({ preventScroll: true }); }
      });
    };
  }

  function take(text, at) {
    var fresh = new DOMParser().parseFromString(text, "text/html"), next = fresh.getElementById("page");
    heard = Date.now();
    // Whoever was signed out sees why.
    if (!next || !fresh.body.hasAttribute("data-live")) { location.assign(body.getAttribute("data-home") || "/sign-in"); return; }
    if (!lost.hidden) { mark(false); }
    if (waits()) { body.setAttribute("data-after", fresh.body.getAttribute("data-after")); }
    if (next.innerHTML === last) { return; }
    var focus = document.activeElement, name = focus && page.contains(focus) ? focus.name + "=" + focus.value : "";
    last = next.innerHTML;
    var written = keep();
    page.innerHTML = last;
    written();
    shown = at;
    document.title = fresh.title;
    if (name) {
      Array.prototype.some.call(page.querySelectorAll("button"), function (one) {
        if (one.name + "=" + one.value !== name) { return false; }
        one.focus({ preventScroll: true });
        return true;
      });
    }
    sign();
    cry();
  }

  function waits() { return body.hasAttribute("data-after"); }

  var asked = 0, turn = 0;
  function ask() {
    if (document.hidden) { return; }
    var at = Date.now(), mine = turn, query = waits() ? "?after=" + body.getAttribute("data-after") : "";
    asked = at;
    fetch(location.pathname + query, { credentials: "same-origin", cache: "no-store" }).then(function (answer) {
      if (answer.status === 204) { heard = Date.now(); if (!lost.hidden) { mark(false); } return; }
      if (answer.ok || answer.status === 404) {
        // What was waited for may come long after it was asked; then its own time counts.
        return answer.text().then(function (text) { if (mine === turn) { take(text, waits() ? Date.now() : at); } });
      }
    }).catch(function () {
      asked = 0;
      if (Date.now() - heard > 5000) { mark(true); }
    }).then(function () {
      if (mine === turn && waits() && lost.hidden && Date.now() - at > 20) { asked = 0; again(); }
    });
  }

  // Where a page can wait, it asks again as soon as it is answered.
  function again() { if (waits() && !asked && Date.now() - pressed > 800) { ask(); } }

  // For who sends forms without leaving the page: what they are answered takes the page's place, and what was asked before does not.
  window.tabiya = {
    taken: function (text) { turn += 1; asked = 0; take(text, Date.now()); again(); },
    failed: function () { if (Date.now() - heard > 5000) { mark(true); } }
  };

  // A tap on its way is not met by another page.
  var pressed = 0;
  page.addEventListener("pointerdown", function () { pressed = Date.now(); });
  document.addEventListener("visibilitychange", ask);
  setInterval(function () {
    // A network that is gone may answer nothing at all.
    if (!document.hidden && Date.now() - heard > 7000) { mark(true); }
    if (Date.now() - pressed > 800 && (!waits() || Date.now() - asked > 4000)) { ask(); }
  }, waits() ? 500 : 2000);
  setInterval(count, 250);
  sign();
  cry();
})();
