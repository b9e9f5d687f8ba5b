import { requireKnownHosts } from './run-code.js';

const requireRedirect = async (): Promise<void> => undefined;

const call = (network: boolean | undefined, runsProgram = true) =>
  ({ action: { runsProgram }, invocation: { instance: { advancedCode: { network } } } }) as unknown as Parameters<
    typeof requireKnownHosts
  >[0];

it('refuses a program with a network to which a policy with host rules applies', () => {
  expect(() => requireKnownHosts({ ...call(true), requireRedirect })).toThrow(
    expect.objectContaining({ code: 'FORBIDDEN', message: expect.stringContaining('settings.advancedCode.network') }),
  );
});

it.each([
  ['without a network', { ...call(false), requireRedirect }],
  ['with the default settings', { ...call(undefined), requireRedirect }],
  ['without such a policy', call(true)],
  ['that is no program', { ...call(true, false), requireRedirect }],
])('lets a call run %s', (_what, given) => expect(() => requireKnownHosts(given)).not.toThrow());
