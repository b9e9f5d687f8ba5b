import { join } from 'node:path';
import { startEmptyDocker } from '@drawbridge/testkit';
import { command, ROOT } from './command.js';

export interface Engine {
  /** The environment with which `docker` reaches this engine. */
  env: NodeJS.ProcessEnv;
  docker(...args: string[]): Promise<string>;
  /** Builds or finds images under the names that deploy/Dockerfile and docker-compose.yml use: node, postgres, kafka, redis. */
  standIns(...names: string[]): Promise<void>;
  stop(): Promise<void>;
}

const FOLDER = join(ROOT, '.cache/deploy/engine');

/** Starts an engine that keeps its images in .cache/deploy/engine, so that later runs build only what changed. */
export async function startEngine(): Promise<Engine> {
  const { env, stop } = await startEmptyDocker(FOLDER);
  const docker = (...args: string[]): Promise<string> => command(['docker', ...args], { env });
  return {
    env,
    docker,
    standIns: async (...names) =>
      void (await command([process.execPath, 'e2e/deploy/stand-ins/build.mjs', ...names], { env })),
    stop,
  };
}
