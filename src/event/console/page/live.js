// Keeps a page as the hall is: fetches it anew every 2 s and puts it in the old one's place. Clocks count on in between. Everything
// works without this, too. In the words of browsers of 2016, for old telephones.
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
    Array.prototype.forEach.call(page.querySelectorAll("button"), function (one) { one.disabled = isLost; });
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

  function take(text, at) {
    var fresh = new DOMParser().parseFromString(text, "text/html"), next = fresh.getElementById("page");
    heard = Date.now();
    // Whoever was signed out sees why.
    if (!next || !fresh.body.hasAttribute("data-live")) { location.assign("/sign-in"); return; }
    if (!lost.hidden) { mark(false); }
    if (next.innerHTML === last) { return; }
    var focus = document.activeElement, name = focus && page.contains(focus) ? focus.name + "=" + focus.value : "";
    last = next.innerHTML;
    page.innerHTML = last;
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

  function ask() {
    if (document.hidden) { return; }
    var at = Date.now();
    fetch(location.pathname, { credentials: "same-origin", cache: "no-store" }).then(function (answer) {
      if (answer.ok || answer.status === 404) { return answer.text().then(function (text) { take(text, at); }); }
    }).catch(function () {
      if (Date.now() - heard > 5000) { mark(true); }
    });
  }

  // A tap on its way is not met by another page.
  var pressed = 0;
  page.addEventListener("pointerdown", function () { pressed = Date.now(); });
  document.addEventListener("visibilitychange", ask);
  setInterval(function () { if (Date.now() - pressed > 800) { ask(); } }, 2000);
  setInterval(count, 250);
  sign();
  cry();
})();
