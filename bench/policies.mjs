// `node bench/policies.mjs`: measures the evaluation of one call against all policies of an organization when none matches. The policies either
// share their rule entries or have different ones.
//   --calls 5000   number of calls, one after the other
// It needs a build.
import { parseArgs } from 'node:util';
import { percentile, table } from './figures.mjs';

// Imports the files directly, because the package of a service exports only the service.
const { evaluate } = await import('../services/approvals/dist/policies/evaluate.js');
const { preparePolicies } = await import('../services/approvals/dist/policies/prepare-policies.js');
const { values } = parseArgs({ options: { calls: { type: 'string', default: '5000' } } });

/** The maximum number of policies of an organization. */
const POLICIES = 500;
const texts = (count, text) => Array.from({ length: count }, (_, n) => `${text}-${n}`);
const FILTERS = { integrationNames: texts(3, 'integration'), actionNames: texts(3, 'action') };
const rulesOf = (n) => ({
  actionCategories: ['delete', 'payment'],
  amountThresholds: [{ path: 'amount', gt: 1_000_000 + n }],
  recipientDenylist: texts(20, `eve${n}`).map((name) => `${name}@evil.example`),
  domainDenylist: texts(20, `evil${n}`).map((name) => `${name}.example`),
  storagePathPrefixes: texts(20, `prod${n}`).map((name) => `${name}/`),
});

function policyOf(n, { passesFilters, hasOwnRules }) {
  const [none, filters] = [[], passesFilters ? {} : FILTERS];
  const lists = { sources: ['rest'], mcpServerIds: none, workspaceIntegrationIds: none, integrationAliases: none };
  const open = { integrationNames: none, actionNames: none, connectionStrategies: none, workspaceId: null };
  const modes = { endUserMode: 'any', decision: 'block', riskMode: 'rules', rules: rulesOf(hasOwnRules ? n : 0) };
  return { id: `p${n}`, name: 'P', enabled: true, priority: n, ...lists, ...open, ...modes, ...filters };
}

const CALL = {
  source: 'rest',
  integrationName: 'slack',
  actionName: 'send_message',
  category: 'send',
  recipients: ['to'],
  input: {
    to: texts(10, 'ann').map((name) => `${name}@acme.example`),
    amount: 12,
    text: 'See https://docs.acme.example/a, or write to bob@acme.example. '.repeat(30),
  },
};

function times({ passing, hasOwnRules }) {
  const policies = Array.from({ length: POLICIES }, (_, n) => policyOf(n, { passesFilters: n < passing, hasOwnRules }));
  const prepared = preparePolicies(policies);
  const cpu = process.cpuUsage();
  const each = Array.from({ length: Number(values.calls) }, () => {
    const start = performance.now();
    const { decision } = evaluate(prepared, CALL);
    if (decision !== 'allow') throw new Error(`A policy matches that should not: ${decision}`);
    return performance.now() - start;
  });
  const { user, system } = process.cpuUsage(cpu);
  return { each, cpu: (user + system) / 1000 / each.length };
}

const row = (title, { each, cpu }) => [title, ...[50, 99, 100].map((p) => percentile(each, p)), cpu].map(toCell);
const toCell = (cell) => (typeof cell === 'number' ? cell.toFixed(3) : cell);
console.log(`${POLICIES} policies, ${values.calls} calls, ms of each\n`);
console.log(
  table([
    ['', 'p50', 'p99', 'worst', 'CPU of one'],
    row('filters let 10 pass', times({ passing: 10, hasOwnRules: false })),
    row('filters let all pass', times({ passing: POLICIES, hasOwnRules: false })),
    row('filters let all pass, rules of their own', times({ passing: POLICIES, hasOwnRules: true })),
  ]),
);
