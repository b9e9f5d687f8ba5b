// Processes of the measurement, and what the kernel says of them (proc(5), Linux).
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const MS_PER_TICK = 10; // USER_HZ is 100 on every Linux that Node.js runs on.

/** Starts one of this folder's servers. Answers where it listens, its pid and how to end it. */
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

/** Processor milliseconds that these processes, what descends from them and their children that ended have used so far. */
export function cpuOf(pids) {
  return family(pids).reduce((sum, { ticks }) => sum + ticks * MS_PER_TICK, 0);
}

/** Milliseconds that all processors of the machine were busy, whoever with. */
export function cpuOfMachine() {
  const [, user, nice, system, , , irq, softirq] = readFileSync('/proc/stat', 'utf8').split('\n')[0].split(/\s+/);
  return [user, nice, system, irq, softirq].reduce((sum, ticks) => sum + Number(ticks) * MS_PER_TICK, 0);
}

/** These processes and all that descend from them. */
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
    // The name before them may hold spaces and parentheses. Fields 14 to 17 are the time of the process and of its ended children.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return { pid, parent: Number(fields[1]), ticks };
  } catch {
    return undefined; // It ended meanwhile.
  }
}
