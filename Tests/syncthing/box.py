"""A box: the real program on a simulated board, its state folder, its shared folder."""
import contextlib
import json
import os
import subprocess

from engine import Failure, until

CONFIGURATION = """[sit]
minimum = 0
preparation = 0

[bell start]
sound = none

[bell end]
sound = none
"""


class Box:
    def __init__(self, program, root):
        self.program = program
        self.root = root
        self.state = os.path.join(root, "state")
        self.store = os.path.join(root, "store")
        self.runtime = os.path.join(root, "runtime")
        self.acknowledged = set()
        os.makedirs(self.store)
        os.mkdir(self.runtime, 0o700)
        self.configuration = os.path.join(root, "timerbox.conf")
        with open(self.configuration, "w", encoding="utf-8") as file:
            file.write(CONFIGURATION)
        self.environment = {"PATH": os.environ["PATH"], "HOME": root,
                            "RUNTIME_DIRECTORY": self.runtime, "TZ": "UTC"}

    def arguments(self, *words):
        return [self.program, *words, "--config", self.configuration,
                "--state", self.state, "--store", self.store]

    def verb(self, *words):
        done = subprocess.run(self.arguments(*words), env=self.environment, capture_output=True,
                              text=True, check=False)
        if done.returncode:
            raise Failure(f"timerbox {' '.join(words)} ended with {done.returncode}: "
                          f"{done.stderr.strip()}")
        return done.stdout

    def command(self, *words):
        """One for the running service; its exit status and what it said."""
        done = subprocess.run([self.program, *words], env=self.environment, capture_output=True,
                              text=True, check=False)
        return done.returncode, done.stdout + done.stderr

    def phase(self):
        status, text = self.command("status", "--json")
        return json.loads(text)["phase"] if status == 0 else None

    @contextlib.contextmanager
    def service(self):
        """The service while the block runs. It is killed, as a pulled plug would: what was
        acknowledged before that is kept."""
        log = os.path.join(self.root, "service.log")
        with open(log, "ab") as output:
            process = subprocess.Popen(self.arguments("run", "--board", "simulated"),
                                       env=self.environment, stdin=subprocess.DEVNULL,
                                       stdout=output, stderr=output)
        try:
            until("a service that answers", self.phase)
            yield process
        finally:
            process.kill()
            process.wait()

    def sit(self):
        """Sits, with a service of its own, and gives the new sit's id."""
        with self.service():
            return self.sit_now()

    def sit_now(self):
        """Sits with the service that runs. The sit counts as acknowledged once history has it."""
        before = self.identities()
        # Whatever was claimed by a service that was killed.
        status, text = self.command("start", "1m", "--anyway")
        if status:
            raise Failure(f"timerbox start ended with {status}: {text}")
        until("a sit that runs", lambda: self.phase() == "running")
        status, text = self.command("stop")
        if status:
            raise Failure(f"timerbox stop ended with {status}: {text}")
        new = until("the sit in the history", lambda: self.identities() - before)
        self.acknowledged |= new
        return new.pop()

    def history(self):
        return self.verb("history", "--json")

    def identities(self):
        return {sit["id"] for sit in json.loads(self.history())}

    def sync(self):
        self.verb("sync")

    def set(self, key, value):
        self.verb("kv", "set", key, json.dumps(value))

    def get(self, key):
        return json.loads(self.verb("kv", "get", key))

    @property
    def copy(self):
        """The name of this device's own copy in the shared folder."""
        with open(os.path.join(self.state, "device"), encoding="utf-8") as file:
            return file.readline().split()[0].lower() + ".kv"
