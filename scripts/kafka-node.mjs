import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ROOT } from './step.mjs';

const DEPLOY = join(ROOT, 'deploy/kafka');
export const CACHE = join(ROOT, '.cache/kafka');
/** A formatted data folder. New nodes copy it, because formatting starts another JVM. */
export const FORMATTED = join(CACHE, 'formatted');
/** Java's class-data archive, which makes the start of a node faster. */
export const CLASSES = join(CACHE, 'classes.jsa');

/**
 * Options of Java. Most nodes serve a few tests, and Maven runs for seconds, so start-up time matters most. The optimizing compiler and the parallel
 * collector would make it slow.
 */
export const SHORT_LIVED = ['-Xmx512m', '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];

const USED = [`-XX:SharedArchiveFile=${CLASSES}`];

/** Starts a node on two ports of 127.0.0.1. `started` resolves when Kafka accepts requests. Its warnings go to standard error. */
export function startNode({ data, port, controller, flags = USED, launch = spawn }) {
  mkdirSync(data, { recursive: true });
  if (!existsSync(join(data, 'log/meta.properties'))) cpSync(FORMATTED, join(data, 'log'), { recursive: true });
  const command = [...flags, ...jvm(data), 'kafka.Kafka', writeProperties({ data, port, controller })];
  const kafka = launch('java', command, { stdio: ['ignore', 'pipe', 'inherit'] });
  const started = new Promise((resolve) => {
    createInterface({ input: kafka.stdout }).on('line', (line) => {
      if (line.includes('Kafka Server started')) resolve();
      else console.error(line);
    });
  });
  return { kafka, started };
}

/** Writes the node's settings to its data folder. Returns the path of the file. */
export function writeProperties({ data, port, controller }) {
  const file = join(data, 'server.properties');
  const own = [
    `listeners=PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controller}`,
    `advertised.listeners=PLAINTEXT://127.0.0.1:${port}`,
    `controller.quorum.voters=1@127.0.0.1:${controller}`,
    `log.dirs=${join(data, 'log')}`,
  ];
  writeFileSync(file, [readFileSync(join(DEPLOY, 'server.properties'), 'utf8'), ...own, ''].join('\n'));
  return file;
}

/** Returns Java's arguments before the main class. */
export function jvm(data) {
  return [
    ...SHORT_LIVED,
    `-Ddrawbridge.kafka.log=${join(data, 'server.log')}`,
    `-Dlog4j2.configurationFile=${join(DEPLOY, 'log4j2.xml')}`,
    '-cp',
    join(CACHE, 'lib/*'),
  ];
}
