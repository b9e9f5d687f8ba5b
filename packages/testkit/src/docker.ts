import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { baseEnv, DOCKER_SCRIPT, SANDBOX_BUILD, startChild } from './child.js';

/** A Docker engine for one test, with the sandbox image. */
export interface DockerEngine {
  /** DOCKER_HOST. */
  host: string;
  /** The environment in which the command `docker` uses this engine. */
  env: NodeJS.ProcessEnv;
  stop(): Promise<void>;
}

/** Returns whether this process can start an engine and build the image. NO_DOCKER is set if this machine cannot start an engine. */
export function hasDocker(): boolean {
  if (process.env['NO_DOCKER']) return false;
  const commands = ['dockerd', 'docker', 'debootstrap'];
  const isInstalled = (command: string): boolean => spawnSync(command, ['--version'], { stdio: 'ignore' }).status === 0;
  return process.getuid?.() === 0 && commands.every(isInstalled);
}

/** Starts an engine in a temporary folder. It changes no firewall rule, and its containers and networks are removed with it. */
export async function startDocker(): Promise<DockerEngine> {
  // The first build takes longer than the time limit of a start.
  await execa(process.execPath, [SANDBOX_BUILD]);
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-docker-'));
  const { stop, ...engine } = await startEngine(folder, []);
  return { ...engine, stop: () => stop().finally(() => rmSync(folder, { recursive: true, force: true })) };
}

/** Starts an engine without the sandbox image in `folder`, where its images remain for the next start. */
export function startEmptyDocker(folder: string): Promise<DockerEngine> {
  mkdirSync(folder, { recursive: true });
  return startEngine(folder, ['--empty']);
}

async function startEngine(folder: string, options: string[]): Promise<DockerEngine> {
  const command = [process.execPath, DOCKER_SCRIPT, '--data', join(folder, 'data'), ...options];
  const running = await startChild(
    { name: 'docker', command, env: baseEnv(), readyWhen: /docker ready on (unix:\S+)/ },
    folder,
  );
  const host = running.ready[1] ?? '';
  const env = { ...process.env, PATH: pathWithBuildKit(), DOCKER_BUILDKIT: '1', DOCKER_HOST: host };
  return { host, env, stop: async () => void (await running.end('SIGTERM')) };
}

/** Returns a PATH in which `docker` builds with BuildKit: newer clients need a plugin for it, which not every machine has. */
function pathWithBuildKit(): string {
  const path = process.env['PATH'] ?? '';
  const builds = (PATH: string): boolean => {
    const options = { env: { ...process.env, PATH, DOCKER_BUILDKIT: '1' }, encoding: 'utf8' } as const;
    return spawnSync('docker', ['build', '--help'], options).stdout?.includes('--progress');
  };
  return [path, `/usr/bin:${path}`].find(builds) ?? path;
}
