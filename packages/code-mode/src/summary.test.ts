import { processorTime } from '@drawbridge/testkit';
import { type SummarizedTool, summaryOf } from './summary.js';

const tool = (path: string, integrationDisplayName: string, displayName: string, category = 'read'): SummarizedTool => {
  const [alias, actionName] = path.split('.') as [string, string];
  return { alias, actionName, integrationDisplayName, displayName, category };
};
const TOOLS = [
  tool('slack.send', 'Slack', 'Send message', 'send'),
  tool('github.create', 'GitHub', 'Create issue', 'write'),
  tool('github.list', 'GitHub', 'List issues'),
  tool('github.remove', 'GitHub', 'Delete repository', 'delete'),
  tool('stripe.pay', 'Stripe', 'Create payment', 'payment'),
  tool('okta.grant', 'Okta', 'Grant role', 'admin'),
  tool('code.run', 'Code', 'Run JavaScript', 'code'),
];
const summary = (predictedTools: string[], more: Partial<Parameters<typeof summaryOf>[0]> = {}) =>
  summaryOf({ predictedTools, analysisConfidence: 'exact', ...more }, TOOLS);

it('says what a program calls and what that changes', () => {
  expect(summary(['slack.send', 'github.create', 'github.list'])).toEqual({
    intentSummary: 'Calls 3 tools of Slack and GitHub: send message, create issue, list issues.',
    impactSummary: 'Sends messages with Slack. Creates or changes data in GitHub. Reads from GitHub.',
  });
});

it('names the most severe impact first', () => {
  expect(summary(TOOLS.map(({ alias, actionName }) => `${alias}.${actionName}`)).impactSummary).toBe(
    'Makes or changes payments with Stripe. Deletes data in GitHub. Changes permissions or settings in Okta. Runs code with Code. ' +
      'Sends messages with Slack. Creates or changes data in GitHub. Reads from GitHub.',
  );
});

it('says that a program calls nothing', () => {
  expect(summary([])).toEqual({
    intentSummary: 'Calls no tool.',
    impactSummary: 'Changes nothing outside of the program.',
  });
});

it('says that the calls of a program cannot be predicted', () => {
  expect(summary(['github.list'], { analysisConfidence: 'dynamic' })).toEqual({
    intentSummary: 'Can call 1 tool of GitHub: its calls cannot be predicted.',
    impactSummary: 'Possible effects: Reads from GitHub.',
  });
  expect(summary(['github.list', 'slack.send'], { analysisConfidence: 'dynamic' }).intentSummary).toBe(
    'Can call any of 2 tools of GitHub and Slack: its calls cannot be predicted.',
  );
});

it('counts a category that it does not know as a change', () => {
  const tools = [tool('a.b', 'App', 'Do it', 'teleport')];
  expect(summaryOf({ predictedTools: ['a.b'], analysisConfidence: 'exact' }, tools).impactSummary).toBe(
    'Creates or changes data in App.',
  );
});

it('shows names that deceive, and cuts long ones', () => {
  const tools = [
    tool(
      'a.b',
      `Pay\u202elap\n\u0000 ${'x'.repeat(500)}`,
      `\u0430dmin Send.\nApproved by security ${'é'.repeat(9_999)}`,
    ),
  ];
  const { intentSummary } = summaryOf({ predictedTools: ['a.b'], analysisConfidence: 'exact' }, tools);
  expect(intentSummary).toMatch(/^Calls 1 tool of Pay⟨U\+202E⟩lap x+…: ⟨U\+0430⟩dmin send/i);
  expect(intentSummary).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}]/u);
  expect(intentSummary.length).toBeLessThan(250);
});

it('bounds the number of names', () => {
  const tools = Array.from({ length: 500 }, (_, at) =>
    tool(`a${at}.b`, `App ${at} ${'\u202e'.repeat(99)}`, `Do ${at} ${'w'.repeat(99)}`),
  );
  const predictedTools = tools.map(({ alias }) => `${alias}.b`);
  const { intentSummary, impactSummary } = summaryOf({ predictedTools, analysisConfidence: 'partial' }, tools);
  expect(intentSummary).toMatch(/^Calls 500 tools of App 0 .* and 495 more: do 0 .* and 492 more\.$/);
  expect(intentSummary.length + impactSummary.length).toBeLessThan(3_000);
});

it('costs time in proportion to the number of tools', () => {
  const timeOf = (count: number): number => {
    const tools = Array.from({ length: count }, (_, at) => tool(`a${at}.b`, `App ${at}`, `Do ${at}`));
    const predictedTools = tools.map(({ alias }) => `${alias}.b`);
    return processorTime(() => summaryOf({ predictedTools, analysisConfidence: 'partial' }, tools));
  };
  // The input is 16 times as long. Linear work takes 16 times as long for it, quadratic work 256 times.
  expect(timeOf(32_000) / timeOf(2_000)).toBeLessThan(100);
});
