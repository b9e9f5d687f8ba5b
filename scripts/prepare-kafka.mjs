import { execFileSync, spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CACHE, CLASSES, FORMATTED, jvm, SHORT_LIVED, startNode, writeProperties } from './kafka-node.mjs';
import { withLock } from './lock.mjs';
import { ROOT, run, start } from './step.mjs';

const POM = join(ROOT, 'deploy/kafka/pom.xml');
const STAMP = join(CACHE, 'fetched');

/**
 * Downloads Kafka, and creates the formatted folder and class archive that make later starts fast, once for each version of pom.xml and of Java.
 * Throws an error with a message for the operator.
 */
export async function prepareKafka(freePort) {
  const java = versionOf('java', 'a JDK or JRE, version 17 or later (Debian: apt-get install openjdk-17-jre-headless)');
  const wanted = createHash('sha256').update(readFileSync(POM)).update(java).digest('hex');
  if (isReady(wanted)) return;
  await withLock(join(ROOT, '.cache/kafka.lock'), async () => {
    if (isReady(wanted)) return;
    await fetchJars();
    await rehearse(freePort);
    writeFileSync(STAMP, wanted);
  });
}

const isReady = (wanted) => existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wanted;

function versionOf(command, what) {
  const { status, stdout, stderr } = spawnSync(command, ['-version']);
  if (status !== 0) throw new Error(`Kafka needs ${command}: install ${what}.`);
  return `${stdout}${stderr}`;
}

async function fetchJars() {
  versionOf('mvn', 'Maven (Debian: apt-get install maven)');
  console.log('Fetching Kafka (about 45 MB, once) …');
  rmSync(CACHE, { recursive: true, force: true });
  mkdirSync(CACHE, { recursive: true });
  const args = ['-B', '-ntp', '-f', POM, 'dependency:copy-dependencies', `-DoutputDirectory=${join(CACHE, 'lib')}`];
  await run('mvn', args, { MAVEN_OPTS: [...SHORT_LIVED, process.env.MAVEN_OPTS].join(' ') });
}

/** Starts a node once. The run leaves a formatted folder and a class archive for later starts. */
async function rehearse(freePort) {
  const data = join(CACHE, 'rehearsal');
  mkdirSync(data);
  const ports = { data, port: await freePort(), controller: await freePort() };
  format(data, writeProperties(ports));
  // Disables the log, because Java warns about each class that it cannot archive.
  const flags = [`-XX:ArchiveClassesAtExit=${CLASSES}`, '-Xlog:disable'];
  const { kafka, started } = startNode({ ...ports, flags, launch: start });
  const exited = once(kafka, 'exit');
  await Promise.race([started, exited]);
  kafka.kill('SIGTERM');
  await exited;
  rmSync(data, { recursive: true, force: true });
}

function format(data, properties) {
  const id = `--cluster-id=${randomBytes(16).toString('base64url')}`; // one argument, because an id can begin with a dash
  try {
    execFileSync('java', [...jvm(data), 'kafka.tools.StorageTool', 'format', id, '-c', properties], { stdio: 'pipe' });
  } catch (error) {
    throw new Error(`Kafka could not format ${data}:\n${error.stdout}${error.stderr}`, { cause: error });
  }
  renameSync(join(data, 'log'), FORMATTED);
}
