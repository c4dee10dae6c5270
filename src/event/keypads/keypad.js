// A keypad that feels like keys: what is pressed is sent without leaving the page, and stands there as sent until the table has counted it;
// a fold is armed first; an amount is chosen by steps; the screen stays on. Everything works without this, too.
(function () {
  "use strict";
  var page = document.getElementById("page"), lost = document.getElementById("lost");
  var chosen = null;
  if (!window.fetch || !window.tabiya) { return; }

  function all(selector, act) { Array.prototype.forEach.call(page.querySelectorAll(selector), act); }

  // ---- amounts ----

  function mark(form) { return form.elements.acts ? form.elements.acts.value : ""; }

  function choose(form, to) {
    var field = form.elements.to, range = form.querySelector("input[type=range]");
    to = Math.max(Number(field.min), Math.min(Number(field.max), Math.round(to) || 0));
    field.value = range.value = to;
    form.querySelector("[data-amount]").textContent = to;
    Array.prototype.forEach.call(form.querySelectorAll("[data-to]"), function (one) {
      one.setAttribute("aria-pressed", String(Number(one.getAttribute("data-to")) === to));
    });
    chosen = { mark: mark(form), to: to };
  }

  // A page that has come in the old one's place has the amount that was chosen, if the same bet is due.
  function dress() {
    all(".amount", function (row) {
      Array.prototype.forEach.call(row.querySelectorAll("[hidden]"), function (one) { one.hidden = false; });
      var form = row.parentNode, presets = form.querySelector(".presets");
      presets.hidden = false;
      row.querySelector("input[type=number]").hidden = true;
      choose(form, chosen && chosen.mark === mark(form) ? chosen.to : form.elements.to.value);
    });
  }

  page.addEventListener("input", function (event) {
    if (event.target.type === "range") { choose(event.target.form || page.querySelector(".due"), Number(event.target.value)); }
  });

  // ---- keys ----

  var armed = null;
  function disarm() {
    if (armed) { armed.one.textContent = armed.says; armed.one.value = "fold"; armed.one.classList.remove("armed"); armed = null; }
  }

  page.addEventListener("click", function (event) {
    var one = event.target.closest ? event.target.closest("button") : event.target;
    if (!one) { return; }
    if (one.hasAttribute("data-step")) { choose(one.form, Number(one.form.elements.to.value) + Number(one.getAttribute("data-step"))); }
    if (one.hasAttribute("data-to")) { choose(one.form, Number(one.getAttribute("data-to"))); }
    if (one.hasAttribute("data-arm") && !armed) {
      event.preventDefault();
      armed = { one: one, says: one.textContent };
      one.textContent = one.getAttribute("data-arm");
      one.value = "fold-sure";
      one.classList.add("armed");
      setTimeout(disarm, 3000);
    } else if (one.type === "submit") {
      last = one;
    }
  });

  var last = null, sent = "";
  page.addEventListener("submit", function (event) {
    var form = event.target, one = event.submitter || last, fields = [];
    if (!form.hasAttribute("data-send")) { return; }
    event.preventDefault();
    // A finger that lands twice sends once: a page is sent once, and the next one has another number.
    if (form.elements.form.value === sent) { return; }
    sent = form.elements.form.value;
    Array.prototype.forEach.call(form.elements, function (field) {
      if (field.name && field.tagName === "INPUT") { fields.push(encodeURIComponent(field.name) + "=" + encodeURIComponent(field.value)); }
    });
    if (one && one.name) { fields.push(encodeURIComponent(one.name) + "=" + encodeURIComponent(one.value)); }
    if (one) { one.classList.add("sent"); }
    if (form.classList.contains("half")) {
      form.classList.add("sent");
      form.querySelector("[data-sent]").textContent = form.querySelector("[data-sent]").getAttribute("data-sent");
    }
    fetch(form.getAttribute("action"), {
      method: "POST", credentials: "same-origin", cache: "no-store",
      headers: { "Content-Type": "application/x-www-form-urlencoded" }, body: fields.join("&")
    }).then(function (answer) {
      if (answer.url && new URL(answer.url).pathname === "/ask") { location.assign("/ask"); return; }
      if (!answer.ok) { throw new Error(String(answer.status)); }
      return answer.text().then(window.tabiya.taken);
    }).catch(function () {
      if (one) { one.classList.remove("sent"); }
      form.classList.remove("sent");
      sent = "";
      window.tabiya.failed();
    });
  });

  // ---- the screen ----

  var awake = null;
  function stay() {
    var says = page.querySelector("[data-awake]"), band = page.querySelector(".awake");
    if (!says || document.hidden || awake) { return; }
    var shown = function () { if (band) { band.textContent = says.getAttribute("data-awake"); band.hidden = false; } };
    if (!navigator.wakeLock) { shown(); setTimeout(function () { all(".awake", function (one) { one.hidden = true; }); }, 5000); return; }
    navigator.wakeLock.request("screen").then(function (lock) {
      awake = lock;
      lock.addEventListener("release", function () { awake = null; });
    }).catch(shown);
  }
  document.addEventListener("visibilitychange", stay);

  new MutationObserver(function () { armed = null; dress(); }).observe(page, { childList: true });
  new MutationObserver(function () { page.classList.toggle("gone", !lost.hidden); }).observe(lost, { attributes: true });
  dress();
  stay();
})();
