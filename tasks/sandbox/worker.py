"""The harness inside the sandbox: runs one job and writes the verdict as its last act.

Standard library only; started as a script by a bare interpreter. Standard input holds a marshalled
dict (nonce, channel, source, check, limits). The verdict is a line on the descriptor `channel`:
nonce, event, class name of the exception, message, separated by tabs. A program that ends before
(sys.exit, os._exit, a signal) leaves no such line, and so has not passed.
"""

import marshal
import os
import resource
import sys
import types


def _set_limits(limits):
    """Lower soft and hard limits; without capabilities nothing can raise them again."""
    for name, value in limits.items():
        number = getattr(resource, name)
        hard = resource.getrlimit(number)[1]
        if hard != resource.RLIM_INFINITY:
            value = min(value, hard)
        # The processor limit ends in SIGXCPU; one second later in SIGKILL, if that was caught.
        top = value + 1 if name == "RLIMIT_CPU" else value
        resource.setrlimit(number, (value, top))


def _message(error):
    try:
        text = str(error)
    except BaseException:
        text = "(no message)"
    return text[:300].replace("\t", " ").replace("\n", " ")


def main(write=os.write, leave=os._exit, exc=BaseException):
    """Run the job. Names are bound early so that the program cannot replace them."""
    with open(0, "rb", closefd=False) as stream:
        job = marshal.load(stream)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    channel, nonce = job["channel"], job["nonce"]

    def send(event, name="", message=""):
        line = "\t".join((nonce, event, name, message)) + "\n"
        write(channel, line.encode("utf-8", "backslashreplace"))

    _set_limits(job["limits"])
    send("ready")
    module = types.ModuleType("candidate")
    sys.modules["candidate"] = module
    sys.argv = ["candidate"]
    try:
        for part in ("source", "check"):
            exec(compile(job[part], part, "exec", dont_inherit=True), module.__dict__)
        verdict = ("pass",)
    except MemoryError:
        verdict = ("oom", "MemoryError")
    except exc as error:
        verdict = ("fail", type(error).__name__, _message(error))
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except exc:
            pass
    send(*verdict)
    leave(0)


if __name__ == "__main__":
    main()
