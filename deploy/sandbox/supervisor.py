"""Process 1 of a sandbox container: runs the code of each request, limits its time and output, and writes framed results to standard
output.

It starts the language's interpreter before a request arrives, which makes a warm start cheap. The limits that protect the host are those of the
container; this program only ends runs in time and keeps excess output away from the engine. Code can
forge the results of its own run, but not those of other runs.

Request:  4-byte length, JSON header, 4-byte length, tar of the mount's files. After the frame s: one byte, which starts the code.
Response: frames of 1-byte type, 4-byte length, payload. h = ready, s = the code can start, o = stdout, e = stderr, f = tar of created and changed
files, d = name of a deleted file, x = exit (JSON).
"""

import io
import json
import os
import select
import signal
import struct
import subprocess
import sys
import threading
import time

PROTOCOL = 2
FILES = "/files"
SCRATCH = "/tmp"
HERE = os.path.dirname(os.path.abspath(__file__))
CHUNK = 65536
PR_SET_DUMPABLE = 4
INTERPRETERS = {
    "javascript": lambda fd: ["node", HERE + "/run.mjs", str(fd)],
    "python": lambda fd: ["python3", "-u", HERE + "/run.py", str(fd)],
    "shell": lambda fd: ["bash", "/dev/fd/%d" % fd],
}


def main():
    # This program kills every process that it may signal. Outside of a container, that would be every process of the machine.
    if os.getpid() != 1:
        sys.exit("supervisor.py runs as process 1 of a sandbox container only")
    wake, alarm = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(alarm, warn_on_full_buffer=False)
    prepared = Program(sys.argv[1])
    import tarfile  # noqa: F401 (loads while the interpreter starts)

    protect()
    prepared.wait_until_started()
    send(b"h", json.dumps({"protocol": PROTOCOL}).encode())
    while True:
        header, archive = read_request()
        language = header["language"]
        if prepared is None or prepared.language != language:
            end_everything()
            prepared = Program(language)
        run(prepared, header, archive, wake)
        prepared = None


def protect():
    """Stops code, which has the same user id, from reading or tracing this process and from writing to its output."""
    import ctypes

    if ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0:
        os._exit(70)


class Program:
    """An interpreter that waits for its code on a pipe."""

    def __init__(self, language):
        self.language = language
        self.input = os.memfd_create("input")
        code, self.code = os.pipe()
        environment = {**os.environ, "HOME": SCRATCH, "PYTHONDONTWRITEBYTECODE": "1"}
        self.is_started = False
        self.process = subprocess.Popen(
            INTERPRETERS[language](code),
            stdin=self.input,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=(code,),
            start_new_session=True,
            cwd=FILES,
            env=environment,
        )
        os.close(code)

    def wait_until_started(self):
        """Waits for the byte that run.mjs and run.py write when they are ready."""
        if self.language != "shell" and not self.is_started:
            os.read(self.process.stdout.fileno(), 1)
        self.is_started = True

    def start(self, code, value):
        self.wait_until_started()
        data = json.dumps(value).encode()
        offset = 0
        while offset < len(data):  # pwrite leaves the offset at 0, where the program starts to read
            offset += os.pwrite(self.input, data[offset:], offset)
        os.close(self.input)
        # A thread writes the code: Bash reads a script while it runs it, so a script that does not fit into the pipe would block this thread, which
        # must forward the output.
        threading.Thread(target=write_ignoring_close, args=(self.code, code.encode()), daemon=True).start()


def run(program, header, archive, wake):
    before = unpack(archive)
    kills = out_of_memory_kills()
    send(b"s", b"1")
    # The driver reports a run that did not get this far as one that can be repeated, so the code must not start before the driver has read the frame.
    read_exactly(1)
    started = time.monotonic()
    program.start(header["code"], header["input"])
    outputs = {program.process.stdout.fileno(): Output(b"o", header), program.process.stderr.fileno(): Output(b"e", header)}
    timed_out = not follow(program.process, outputs, started + header["timeoutMs"] / 1000, wake)
    duration = time.monotonic() - started
    status = end_everything(program.process)
    drain(outputs)
    for stream in (program.process.stdout, program.process.stderr):
        stream.close()

    skipped = send_changes(before) if header["collect"] and not timed_out else 0
    result = {
        "status": status,
        "timedOut": timed_out,
        "outOfMemory": out_of_memory_kills() > kills,
        "durationMs": round(duration * 1000),
        "truncated": any(output.is_truncated for output in outputs.values()),
        "skipped": skipped,
    }
    send(b"x", json.dumps(result).encode())


def out_of_memory_kills():
    """Counts the processes of this container that the kernel killed for memory (cgroup version 2, then 1)."""
    for path in ("/sys/fs/cgroup/memory.events", "/sys/fs/cgroup/memory/memory.oom_control"):
        try:
            with open(path) as file:
                return int(dict(line.split() for line in file)["oom_kill"])
        except (OSError, KeyError, ValueError):
            continue
    return 0


class Output:
    def __init__(self, kind, header):
        self.kind = kind
        self.left = header["maxOutputBytes"]
        self.is_truncated = False

    def take(self, data):
        kept = data[: self.left]
        self.left -= len(kept)
        self.is_truncated = self.is_truncated or len(kept) < len(data)
        if kept:
            send(self.kind, kept)


def follow(process, outputs, deadline, wake):
    """Forwards output until the program exits (True) or its time is over (False). Ends the container if standard
    input is closed, because its owner is then gone."""
    poller = select.poll()
    for fd in (0, wake, *outputs):
        poller.register(fd, select.POLLIN)
    while process.poll() is None:
        left = deadline - time.monotonic()
        if left <= 0:
            return False
        for fd, _ in poller.poll(left * 1000 + 1):
            if fd == wake:
                os.read(wake, CHUNK)
                reap_strangers(process)
            elif fd == 0:
                os._exit(0)
            else:
                data = os.read(fd, CHUNK)
                if data:
                    outputs[fd].take(data)
                else:
                    poller.unregister(fd)
    return True


def reap_strangers(process):
    """Reaps orphans, which process 1 inherits. Leaves the exit status of the program itself to `process.poll`."""
    while True:
        try:
            found = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:
            return
        if found is None or found.si_pid == process.pid:
            return
        os.waitpid(found.si_pid, 0)


def end_everything(process=None):
    """Kills all other processes of the container and waits until they are gone. Returns the program's status, negative for a signal."""
    try:
        os.kill(-1, signal.SIGKILL)
    except ProcessLookupError:
        pass
    status = process.wait() if process else None
    while True:
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return status


def drain(outputs):
    """Forwards the output that remains in the pipes. All writers have been killed, so the data in each pipe ends."""
    for fd, output in outputs.items():
        while data := os.read(fd, CHUNK):
            output.take(data)


def unpack(archive):
    """Replaces the files of the mount with those of the archive. The driver validates paths before it stores files."""
    import tarfile

    for path, is_folder in reversed(list(entries())):
        os.rmdir(path) if is_folder else os.unlink(path)
    if archive:
        with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
            for member in tar:
                path = os.path.join(FILES, member.name)
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "wb") as file:
                    file.write(tar.extractfile(member).read())
    return {path: stamp(path) for path, is_folder in entries() if not is_folder}


def entries():
    """Yields the path of each entry in the mount and whether it is a folder, parents first. Does not follow links."""
    folders = [FILES]
    while folders:
        folder = folders.pop()
        try:
            os.chmod(folder, 0o700)
        except OSError:
            pass  # In Kubernetes the folder of the mount belongs to root. Its group, which is that of this process, may write.
        try:
            found = list(os.scandir(folder))
        except OSError:
            continue
        for entry in found:
            is_folder = entry.is_dir(follow_symlinks=False)
            yield entry.path, is_folder
            if is_folder:
                folders.append(entry.path)


def stamp(path):
    """Returns a value that changes with each write to the file. Uses ctime, because code can set mtime."""
    stat = os.lstat(path)
    return (stat.st_ino, stat.st_size, stat.st_ctime_ns)


def send_changes(before):
    """Sends the regular files that were created or changed and the names of deleted ones. Returns how many entries were skipped."""
    import tarfile

    sender = io.BufferedWriter(Frames(b"f"), CHUNK)
    seen, skipped = set(), 0
    with tarfile.open(fileobj=sender, mode="w|", format=tarfile.PAX_FORMAT) as tar:
        for path, is_folder in entries():
            if is_folder:
                continue
            seen.add(path)
            try:
                if before.get(path) == stamp(path):
                    continue
                path.encode()
                member = tarfile.TarInfo(os.path.relpath(path, FILES))
                with open(path, "rb", opener=open_regular) as file:
                    member.size = os.fstat(file.fileno()).st_size
                    tar.addfile(member, file)
            except (OSError, UnicodeError):
                skipped += 1
    sender.flush()
    for path in before:
        if path not in seen:
            send(b"d", os.path.relpath(path, FILES).encode())
    return skipped


def open_regular(path, flags):
    import stat

    # Without O_NONBLOCK, opening a named pipe would block forever, because no process writes to it.
    fd = os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK)
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        raise OSError("not a regular file")
    return fd


class Frames(io.RawIOBase):
    def __init__(self, kind):
        self.kind = kind

    def writable(self):
        return True

    def write(self, data):
        send(self.kind, bytes(data))
        return len(data)


def send(kind, payload):
    for start in range(0, len(payload), CHUNK):
        part = payload[start : start + CHUNK]
        data = kind + struct.pack(">I", len(part)) + part
        while data:
            data = data[os.write(1, data) :]


def read_request():
    header = json.loads(read_exactly(struct.unpack(">I", read_exactly(4))[0]))
    return header, read_exactly(struct.unpack(">I", read_exactly(4))[0])


def read_exactly(length):
    parts = []
    while length > 0:
        part = os.read(0, min(length, 1 << 20))
        if not part:
            os._exit(0)
        parts.append(part)
        length -= len(part)
    return b"".join(parts)


def write_ignoring_close(fd, data):
    try:
        while data:
            data = data[os.write(fd, data) :]
    except BrokenPipeError:
        pass
    os.close(fd)


signal.signal(signal.SIGPIPE, signal.SIG_IGN)
main()
