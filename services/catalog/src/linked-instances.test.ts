import { type ConfiguredInstance } from './configured-instances.js';
import { type AskedTarget, pickForTool } from './linked-instances.js';

const configured = (integrationName: string, alias: string): ConfiguredInstance => ({
  integrationName,
  instance: { id: `i-${alias}`, alias, connectionStrategy: 'fixed', connectionId: undefined, persistence: undefined },
  partials: [],
});
const [work, home, http] = [configured('github', 'work'), configured('github', 'home'), configured('http', 'http')];
const both = [work, home, http];
const asked = (more: Partial<AskedTarget> = {}): AskedTarget => ({ integrationName: 'github', alias: 'mine', ...more });

it.each<[string, ConfiguredInstance[], Partial<AskedTarget>, string | undefined]>([
  ['the named one', both, { workspaceIntegrationId: 'i-home' }, 'home'],
  [
    'the named one before the one that it has',
    both,
    { workspaceIntegrationId: 'i-home', keptIntegrationId: 'i-work' },
    'home',
  ],
  ['the one of its alias', both, { alias: 'home', keptIntegrationId: 'i-work' }, 'home'],
  ['the one that it has', both, { keptIntegrationId: 'i-home' }, 'home'],
  ['the only one', [home, http], {}, 'home'],
  ['the one that has the name of the integration', [work, configured('github', 'github')], {}, 'github'],
  ['the first, where the tool has a connection of its own', both, { connectionId: 'c' }, 'work'],
  [
    'the first, where the integration needs no account',
    [configured('hash-encode', 'a'), configured('hash-encode', 'b')],
    { integrationName: 'hash-encode' },
    'a',
  ],
  ['none, where none is configured', [http], {}, undefined],
])('a tool is of %s', (_which, instances, more, alias) => {
  expect(pickForTool(instances, asked(more))?.instance.alias).toBe(alias);
});

it.each<[string, Partial<AskedTarget>, object]>([
  ['no account for us to guess', {}, { code: 'VALIDATION_ERROR' }],
  ['one that is not there', { workspaceIntegrationId: 'i-gone' }, { code: 'VALIDATION_ERROR' }],
  ['one of another integration', { workspaceIntegrationId: 'i-http' }, { code: 'VALIDATION_ERROR' }],
  ['one under the alias of another', { alias: 'home', workspaceIntegrationId: 'i-work' }, { code: 'ALIAS_CONFLICT' }],
  ['an alias of another integration', { alias: 'http' }, { code: 'ALIAS_CONFLICT' }],
])('a tool is of %s: refused', (_which, more, error) => {
  expect(() => pickForTool(both, asked(more))).toThrow(expect.objectContaining(error));
});
