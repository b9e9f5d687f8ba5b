// Runs `npm test`: installs, builds, checks and runs the suites. The last line is `N passed, N failed, N skipped`.
// `npm test -- NAME` runs one file. `npm run test:full` adds lint, format and the slow tests: fuzz, neighbours, endurance, the Python SDK,
// third-party clients, and those of `npm run test:deploy`.
// With REQUIRE=kafka,browser,redis,kms,docker,compose,nginx,mcp-clients,node,python a suite that cannot run fails instead of being skipped.
import { checkedIn, checks, runChecks } from './checks.mjs';
import { prepareMcpClients } from './prepare-mcp-clients.mjs';
import { onNode, prepareNode } from './prepare-node.mjs';
import { preparePython } from './prepare-python.mjs';
import { prepare } from './prepare.mjs';
import { runSuite } from './run-suite.mjs';
import { run, seconds, step } from './step.mjs';
import { chooseSuites, NEEDS } from './suites.mjs';
import { testDeploy } from './test-deploy.mjs';
import { startKafka } from './test-kafka.mjs';

const required = (process.env.REQUIRE ?? '').split(',');
const total = { passed: 0, failed: 0, skipped: 0 };
const notes = [];

const names = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const isFull = process.argv.includes('--full');

const before = checkedIn();
await prepare();
const suites = await chooseSuites({ isFull, names }).catch(({ message }) => {
  console.error(message);
  process.exit(1);
});
const opening = openKafka(); // beside the checks, because a first start downloads it
if (names.length === 0) add(await runChecks(checks(before).filter((check) => isFull || !check.isFull)));
const kafka = await opening;
if (isFull) {
  await noteFailure(prepareMcpClients);
  await noteFailure(prepareNode);
  await noteFailure(preparePython);
  await noteFailure(buildSandboxImage);
}
for (const [index, suite] of suites.entries()) await runOrName(suite, index);
await kafka.stop();
if (isFull && names.length === 0) await deploy();

for (const note of notes) console.log(note);
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exitCode = total.failed > 0 ? 1 : 0;

/** Uses the Kafka of KAFKA_BROKERS, or starts a node for this run. Without Java there is no Kafka, and the suites that need it are skipped. */
async function openKafka() {
  const none = { stop: async () => {} };
  if (!suites.some(({ needs, uses }) => needs === 'kafka' || uses === 'kafka')) return none;
  if (process.env.KAFKA_BROKERS) return { ...none, brokers: process.env.KAFKA_BROKERS };
  if (!NEEDS.kafka.isMet() && !required.includes('kafka')) return none;
  try {
    return await startKafka();
  } catch (error) {
    notes.push(error.message);
    return none;
  }
}

/** Runs a preparation. A failure does not stop the run: a test without its requirement is skipped, or fails if REQUIRE lists the requirement. */
async function noteFailure(prepareSomething) {
  try {
    await prepareSomething();
  } catch (error) {
    notes.push(error.message);
  }
}

/** Builds the image before the suites, because the build may take longer than a hook of a test. */
async function buildSandboxImage() {
  if (!required.includes('docker')) return;
  await step('Building the sandbox image', () => run(process.execPath, ['deploy/sandbox/build.mjs']));
}

async function runOrName(suite, index) {
  const { name, needs, env, node } = suite;
  if (needs && !isThere(needs)) return nameSkipped(name, needs);
  const version = node && onNode(node);
  if (node && !version) noteOtherNode(name, node);

  console.log(`\n── ${name}${version ? ` on Node.js ${node}` : ''} ──`);
  const start = Date.now();
  const KAFKA_BROKERS = brokersFor(suite);
  const { skippedNames, ...result } = await runSuite({ ...suite, env: { ...version, ...env, KAFKA_BROKERS } }, index);
  notes.push(...skippedNames.map((test) => `skipped in ${name}: ${test}`));
  console.log(
    `── ${name}: ${result.passed} passed, ${result.failed} failed, ${result.skipped} skipped, ${seconds(start)}`,
  );
  add(result);
}

/** Reports that a suite ran on the installed Node.js, because its version is not downloaded. This counts as a failure if REQUIRE lists `node`. */
function noteOtherNode(name, node) {
  const isFailure = required.includes('node');
  notes.push(`${isFailure ? 'FAILED' : 'note'}: ${name} ran on ${process.version}, not on Node.js ${node}`);
  if (isFailure) add({ failed: 1 });
}

/** Returns whether the requirement is available. For Kafka this means that a node has started. */
function isThere(need) {
  return need === 'kafka' ? kafka.brokers !== undefined : NEEDS[need].isMet();
}

/**
 * Returns the brokers for a suite, or undefined if the suite starts its own node. An e2e suite does this unless KAFKA_BROKERS is set, because two
 * products on one Kafka would consume each other's events.
 */
function brokersFor({ needs, uses }) {
  if (uses) return kafka.brokers;
  return needs === 'kafka' ? process.env.KAFKA_BROKERS : undefined;
}

function nameSkipped(name, need) {
  const isFailure = required.includes(need);
  notes.push(`${isFailure ? 'FAILED' : 'skipped'}: ${name} needs ${need}. To run it: ${NEEDS[need].enable}`);
  add({ [isFailure ? 'failed' : 'skipped']: 1 });
}

async function deploy() {
  const result = await testDeploy();
  notes.push(...result.notes);
  add(result);
}

function add(result) {
  for (const key of Object.keys(total)) total[key] += result[key] ?? 0;
}
