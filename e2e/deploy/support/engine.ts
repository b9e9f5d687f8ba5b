import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { startEmptyDocker } from '@drawbridge/testkit';
import { command, ROOT } from './command.js';

export interface Engine {
  /** The environment with which `docker` reaches this engine. */
  env: NodeJS.ProcessEnv;
  docker(...args: string[]): Promise<string>;
  /** Builds or finds images under the names that our files ask for: node, postgres, kafka, redis. */
  standIns(...names: string[]): Promise<void>;
  stop(): Promise<void>;
}

const FOLDER = join(ROOT, '.cache/deploy/engine');

/** Starts an engine that keeps its images in .cache/deploy/engine, so that later runs build only what changed. */
export async function startEngine(): Promise<Engine> {
  const { host, stop } = await startEmptyDocker(FOLDER);
  const env = { ...process.env, PATH: pathWithBuildKit(), DOCKER_HOST: host };
  const docker = (...args: string[]): Promise<string> => command(['docker', ...args], { env });
  return {
    env,
    docker,
    standIns: async (...names) =>
      void (await command([process.execPath, 'e2e/deploy/stand-ins/build.mjs', ...names], { env })),
    stop,
  };
}

/** Returns a PATH with a `docker` that builds with BuildKit: newer clients need a plugin for that, which not every machine has. */
function pathWithBuildKit(): string {
  const path = process.env['PATH'] ?? '';
  const builds = (PATH: string): boolean => {
    const options = { env: { ...process.env, PATH, DOCKER_BUILDKIT: '1' }, encoding: 'utf8' } as const;
    const { stdout = '', stderr = '' } = spawnSync('docker', ['build', '--help'], options);
    return `${stdout}${stderr}`.includes('--progress');
  };
  return [path, `/usr/bin:${path}`].find(builds) ?? path;
}
