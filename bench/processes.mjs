// Starts the processes of a benchmark and reads their CPU time from the kernel (proc(5), Linux).
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const MS_PER_TICK = 10; // USER_HZ is 100 on every Linux that Node.js runs on.

/** Starts a server of this folder. Returns its URL, its pid and a function that stops it. */
export async function startServer(file, ...args) {
  const command = [join(import.meta.dirname, file), ...args];
  const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'inherit'] });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const [line] = await once(createInterface(child.stdout), 'line');
  return {
    url: `http://127.0.0.1:${line.split(' ').at(-1)}`,
    pid: child.pid,
    async stop() {
      process.off('exit', kill);
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}

/** Returns the CPU milliseconds that these processes, their descendants and their ended children have used so far. */
export function cpuOf(pids) {
  return family(pids).reduce((sum, { ticks }) => sum + ticks * MS_PER_TICK, 0);
}

/** Returns the milliseconds that all processors of the machine have been busy, for any process. */
export function cpuOfMachine() {
  const [, user, nice, system, , , irq, softirq] = readFileSync('/proc/stat', 'utf8').split('\n')[0].split(/\s+/);
  return [user, nice, system, irq, softirq].reduce((sum, ticks) => sum + Number(ticks) * MS_PER_TICK, 0);
}

/** Returns these processes and all their descendants. */
export function family(pids) {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const stats = all.flatMap((pid) => statOf(Number(pid)) ?? []);
  const members = new Set(pids);
  for (let size = 0; size !== members.size;) {
    size = members.size;
    for (const { pid, parent } of stats) if (members.has(parent)) members.add(pid);
  }
  return stats.filter(({ pid }) => members.has(pid));
}

function statOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The process name can contain spaces and parentheses, so fields are counted after it. Fields 14 to 17: CPU time of the process and of its
    // ended children.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return { pid, parent: Number(fields[1]), ticks };
  } catch {
    return undefined; // The process has exited.
  }
}
