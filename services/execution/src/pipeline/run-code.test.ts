import { requireKnownHosts } from './run-code.js';

const call = (network: boolean | undefined, runsProgram = true) =>
  ({ action: { runsProgram }, invocation: { instance: { advancedCode: { network } } } }) as unknown as Parameters<
    typeof requireKnownHosts
  >[0];

it('refuses a program with a network to which a policy with host rules applies', () => {
  expect(() => requireKnownHosts({ ...call(true), hasHostRules: true })).toThrow(
    expect.objectContaining({ code: 'FORBIDDEN', message: expect.stringContaining('settings.advancedCode.network') }),
  );
});

it.each([
  ['without a network', { ...call(false), hasHostRules: true }],
  ['with the default settings', { ...call(undefined), hasHostRules: true }],
  ['without such a policy', { ...call(true), hasHostRules: false }],
  ['that is no program', { ...call(true, false), hasHostRules: true }],
])('lets a call run %s', (_what, given) => expect(() => requireKnownHosts(given)).not.toThrow());
