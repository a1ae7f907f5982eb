"""A real Syncthing, set up by board/syncthing/set-up, driven by its REST interface."""
import json
import os
import re
import shutil
import subprocess
import time
import urllib.error
import urllib.request

SET_UP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../board/syncthing/set-up")
FOLDER = "timerbox"


class Failure(Exception):
    """What had to hold and did not."""


def until(what, holds, seconds=60):
    """Waits for a state, never for a time: asks until it holds, and gives its answer."""
    deadline = time.monotonic() + seconds
    while True:
        answer = holds()
        if answer:
            return answer
        if time.monotonic() > deadline:
            raise Failure(f"expected within {seconds} s: {what}")
        time.sleep(0.05)


def replicas(folder):
    """Every replica in a folder that is carried, archive and conflict copies included."""
    return {os.path.relpath(os.path.join(at, name), folder)
            for at, _, names in os.walk(folder) for name in names
            if name.endswith(".kv") and not name.startswith(("._", ".syncthing."))}


class Engine:
    """`program` is a syncthing; whatever calls one by its name here finds this one."""

    def __init__(self, program, root, folder, number):
        self.program = program
        self.home = os.path.join(root, "syncthing")
        self.folder = folder
        self.port = 18384 + number
        self.address = f"tcp://127.0.0.1:{22000 + number}"
        self.log = os.path.join(root, "syncthing.log")
        # Nothing of this machine's own Syncthing is seen, and nothing of it changed.
        self.environment = {"PATH": f"{os.path.dirname(program)}:{os.environ['PATH']}",
                            "HOME": root}
        self.process = None
        self.identity = self.set_up()

    def set_up(self, *peers):
        """Runs the script that is shipped; then gives this one ports of its own and a short wait
        before it calls again, which two Syncthings on one machine need and two boxes do not."""
        words = [f"{os.path.basename(peer.home)}{peer.port}={peer.identity}@{peer.address}"
                 for peer in peers]
        done = subprocess.run([SET_UP, "--home", self.home, "--folder", self.folder] + words,
                              env=self.environment, capture_output=True, text=True, check=False)
        if done.returncode:
            raise Failure(f"set-up ended with {done.returncode}: {done.stderr}")
        path = os.path.join(self.home, "config.xml")
        with open(path, encoding="utf-8") as file:
            text = file.read()
        self.key = re.search("<apikey>(.*)</apikey>", text).group(1)
        for pattern, value in (
                ("(<address>)127[^<]*", f"127.0.0.1:{self.port}"),
                ("(<listenAddress>)[^<]*", self.address),
                ("(<reconnectionIntervalS>)[^<]*", "1"),
                ('(<folder id="timerbox"[^>]* fsWatcherEnabled=")true', "false")):
            text, count = re.subn(pattern, lambda found, value=value: found.group(1) + value, text)
            if count != 1:
                raise Failure(f"config.xml: found {pattern} {count} times, expected it once")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return done.stdout.strip()

    def start(self):
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [self.program, "serve", f"--home={self.home}", "--no-browser", "--no-restart"],
                env={**self.environment, "STNOUPGRADE": "1"}, stdout=log, stderr=log)
        until("an answer from Syncthing", lambda: self.quietly("system/ping"))

    def release(self):
        return subprocess.run([self.program, "--version"], env=self.environment, check=True,
                              capture_output=True, text=True).stdout.split(" (")[0]

    def stop(self):
        if self.process:
            self.process.terminate()
            self.process.wait(timeout=30)
            self.process = None

    def forget(self):
        """Loses its index of files, as a damaged card does."""
        for name in os.listdir(self.home):
            if name.startswith("index-"):
                shutil.rmtree(os.path.join(self.home, name))

    def ask(self, path, method="GET", body=None):
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/rest/{path}", method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"X-API-Key": self.key})
        with urllib.request.urlopen(request, timeout=30) as answer:
            text = answer.read()
        return json.loads(text) if text.strip() else True

    def quietly(self, path, method="GET"):
        """The answer, or nothing where there is none yet."""
        try:
            return self.ask(path, method)
        except (urllib.error.URLError, OSError):
            return None

    def scan(self):
        # Refused while the folder starts.
        until("a scan", lambda: self.quietly(f"db/scan?folder={FOLDER}", "POST"))

    def change(self, **settings):
        """Changes settings of the folder, and waits until it runs with them."""
        self.ask(f"config/folders/{FOLDER}", "PATCH", settings)
        self.scan()

    def part(self, peer):
        self.ask(f"system/pause?device={peer.identity}", "POST")
        until("no connection", lambda: not self.sees(peer) and not peer.sees(self))

    def join(self, peer):
        self.ask(f"system/resume?device={peer.identity}", "POST")
        until("a connection", lambda: self.sees(peer) and peer.sees(self))

    def sees(self, peer):
        return self.ask("system/connections")["connections"][peer.identity]["connected"]

    def version(self, name):
        """What this one has of a file: its version vector; nothing where it has no such file."""
        found = self.quietly(f"db/file?folder={FOLDER}&file={urllib.request.quote(name)}")
        local = (found or {}).get("local") or {}
        return None if local.get("deleted") else sorted(local.get("version") or []) or None

    def names(self):
        return replicas(self.folder)


class Pair:
    """Two Syncthings that share one folder, and every name that was ever in it."""

    def __init__(self, first, second):
        self.engines = (first, second)
        self.seen = set()
        first.set_up(second)
        second.set_up(first)
        for engine in self.engines:
            engine.start()
        until("a connection", lambda: first.sees(second) and second.sees(first))

    def settle(self, *scanned):
        """Lets both scan and exchange until each has the same version of each file as the other.

        Whoever is named scans alone first, and the other must have taken that over."""
        for engine in scanned:
            engine.scan()
        for engine in () if scanned else self.engines:
            engine.scan()
        until("the same versions on both", self.agree)

    def agree(self):
        first, second = self.engines
        present = [engine.names() for engine in self.engines]
        self.seen |= present[0] | present[1]
        versions = {name: (first.version(name), second.version(name)) for name in self.seen}
        # A conflict copy lies there before it is known.
        known = all(versions[name][index] for index in (0, 1) for name in present[index])
        return known and all(mine == theirs for mine, theirs in versions.values())

    def part(self):
        self.engines[0].part(self.engines[1])

    def join(self):
        self.engines[0].join(self.engines[1])

    def change(self, **settings):
        for engine in self.engines:
            engine.change(**settings)
