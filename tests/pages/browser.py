"""What the tests of pages in a real browser share: headless Chromium over real TLS, and what every page must hold."""
import base64
import json
import os
import queue
import re
import shutil
import ssl
import subprocess
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = os.environ.get("TABIYA", os.path.join(ROOT, "target", "debug", "tabiya"))
OUT = os.path.join(ROOT, "target", "pages")
PATIENCE = 60
UPRIGHT, ASIDE = (360, 640), (640, 360)


class Program:
    """A program that takes typed lines, and says in its own what the tests wait for."""

    def __init__(self, arguments, **surroundings):
        self.child = subprocess.Popen([PROGRAM, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                      stderr=subprocess.STDOUT, text=True, bufsize=1, **surroundings)
        self.lines = queue.Queue()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.child.stdout:
            self.lines.put(line.rstrip("\n"))

    def until(self, pattern):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                found = re.search(pattern, self.lines.get(timeout=1))
            except queue.Empty:
                continue
            if found:
                return found
        raise AssertionError(f"the program never said {pattern}")

    def type(self, line):
        self.child.stdin.write(line + "\n")
        self.child.stdin.flush()

    def end(self):
        self.child.kill()
        self.child.wait()


class Browser:
    """Headless Chromium, told what to do over a pipe (the DevTools protocol, messages that end with a zero byte)."""

    def __init__(self, *keys):
        """`keys`: those of the pages that a person has compared (`key_of`)."""
        told, self.tell = os.pipe()
        self.hear, tells = os.pipe()
        profile = os.path.join(OUT, "profile")
        shutil.rmtree(profile, ignore_errors=True)
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--remote-debugging-pipe",
                     "--no-first-run", f"--user-data-dir={profile}", f"--ignore-certificate-errors-spki-list={','.join(keys)}"]

        def pipes():
            # Chromium reads from 3 and writes to 4; neither number may be lost while the other is put in its place.
            high_told, high_tells = os.dup(told), os.dup(tells)
            a, b = os.dup2(high_told, 200), os.dup2(high_tells, 201)
            os.dup2(a, 3)
            os.dup2(b, 4)

        self.child = subprocess.Popen(["chromium", *arguments], preexec_fn=pipes, close_fds=False,
                                      stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(told)
        os.close(tells)
        self.number, self.answers, self.events = 0, {}, []
        self.news = threading.Condition()
        threading.Thread(target=self.listen, daemon=True).start()
        target = self.ask("Target.createTarget", url="about:blank", session=None)["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True, session=None)["sessionId"]
        for domain in ["Page", "Runtime", "Log", "Network", "Security"]:
            self.ask(domain + ".enable")

    def listen(self):
        rest = b""
        while True:
            piece = os.read(self.hear, 1 << 16)
            if not piece:
                return
            *whole, rest = (rest + piece).split(b"\0")
            with self.news:
                for message in map(json.loads, whole):
                    if "id" in message:
                        self.answers[message["id"]] = message
                    else:
                        self.events.append(message)
                self.news.notify_all()

    def ask(self, method, session="own", **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if session is not None:
            message["sessionId"] = self.session
        os.write(self.tell, json.dumps(message).encode() + b"\0")
        with self.news:
            assert self.news.wait_for(lambda: message["id"] in self.answers, PATIENCE), method
            answer = self.answers.pop(message["id"])
        assert "error" not in answer, (method, answer)
        return answer["result"]

    def run(self, script):
        result = self.ask("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in result, (script, result["exceptionDetails"])
        return result["result"].get("value")

    def go(self, address):
        self.loads(lambda: self.ask("Page.navigate", url=address))

    def loads(self, act):
        """Does something that leads to another page, and waits for that."""
        with self.news:
            self.events = [event for event in self.events if event["method"] != "Page.loadEventFired"]
        act()
        with self.news:
            loaded = lambda: any(event["method"] == "Page.loadEventFired" for event in self.events)
            assert self.news.wait_for(loaded, PATIENCE), "the page never came"

    def until(self, script, patience=PATIENCE):
        end = time.monotonic() + patience
        while time.monotonic() < end:
            if self.run(script):
                return
            time.sleep(0.1)
        raise AssertionError(f"never: {script}\n{self.run('document.body.innerText')}")

    def looks(self, size=UPRIGHT, theme="light", words=16):
        self.ask("Emulation.setDeviceMetricsOverride", width=size[0], height=size[1], deviceScaleFactor=2, mobile=True)
        self.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": theme}])
        self.ask("Page.setFontSizes", fontSizes={"standard": words, "fixed": words})

    def speaks(self, language):
        self.ask("Network.setExtraHTTPHeaders", headers={"Accept-Language": language})

    def picture(self, name):
        data = self.ask("Page.captureScreenshot", format="png")["data"]
        with open(os.path.join(OUT, name + ".png"), "wb") as file:
            file.write(base64.b64decode(data))

    def complaints(self):
        bad = [event["params"]["entry"]["text"] for event in self.events
               if event["method"] == "Log.entryAdded" and event["params"]["entry"]["level"] in ("error", "warning")]
        thrown = [event["params"] for event in self.events if event["method"] == "Runtime.exceptionThrown"]
        return bad + thrown

    def end(self):
        self.child.kill()
        self.child.wait()


FITS = """(() => {
  const wrong = [];
  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth) wrong.push(`wider than the screen: ${root.scrollWidth} > ${root.clientWidth}`);
  for (const one of document.querySelectorAll("button, a.button, nav a, input:not([type=hidden]):not([type=radio]), label.choice, summary")) {
    const box = one.getBoundingClientRect();
    if (box.width === 0) continue;
    if (box.height < 47.5) wrong.push(`low: ${one.textContent || one.name} ${box.height}`);
    if (box.right > root.clientWidth + 0.5 || box.left < -0.5) wrong.push(`outside: ${one.textContent || one.name}`);
    if (one.tagName === "BUTTON" && one.scrollWidth > one.clientWidth + 1) wrong.push(`cut: ${one.textContent}`);
  }
  for (const one of document.querySelectorAll("img")) if (!one.complete || one.naturalWidth === 0) wrong.push(`no picture: ${one.src}`);
  for (const one of document.querySelectorAll("input:not([type=hidden])")) if (!one.labels.length) wrong.push(`no label: ${one.name}`);
  return wrong;
})()"""


def key_of(address):
    """The key of the page's certificate as Chromium names it: the hash of its SubjectPublicKeyInfo."""
    host, port = address.removeprefix("https://").rsplit(":", 1)
    pem = ssl.get_server_certificate((host, int(port)))
    text = subprocess.run(["openssl", "x509", "-noout", "-text"], input=pem, capture_output=True, text=True, check=True)
    assert "prime256v1" in text.stdout and "TLS Web Server Authentication" in text.stdout, text.stdout
    public = subprocess.run(["openssl", "x509", "-noout", "-pubkey"], input=pem, capture_output=True, text=True, check=True)
    der = subprocess.run(["openssl", "pkey", "-pubin", "-outform", "der"], input=public.stdout.encode(),
                         capture_output=True, check=True).stdout
    hashed = subprocess.run(["openssl", "dgst", "-sha256", "-binary"], input=der, capture_output=True, check=True).stdout
    return base64.b64encode(hashed).decode()


def click(browser, selector):
    browser.loads(lambda: browser.run(f"document.querySelector({json.dumps(selector)}).click()"))


def every_look(browser, address, pages, looks=None):
    """Pictures of pages in all sizes, themes and languages; each must fit."""
    looks = looks or [(UPRIGHT, "light", 16, "en"), (UPRIGHT, "dark", 16, "en"), (ASIDE, "light", 16, "en"), (ASIDE, "dark", 16, "en"),
                      (UPRIGHT, "light", 16, "de"), (UPRIGHT, "dark", 16, "es"), (UPRIGHT, "light", 32, "de")]
    for size, theme, words, language in looks:
        browser.looks(size, theme, words)
        browser.speaks(language)
        for name, path in pages:
            browser.go(address + path)
            aside = "aside" if size[0] > size[1] else "upright"
            browser.picture(f"{name}-{aside}-{theme}-{language}" + ("-large" if words > 16 else ""))
            wrong = browser.run(FITS)
            assert not wrong, (name, size, theme, words, language, wrong)
            assert browser.run("document.documentElement.lang") == language
    browser.looks()
    browser.speaks("en")
