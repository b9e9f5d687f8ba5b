import {
  type ConfiguredInstance,
  defaultInstance,
  type InstanceSelector,
  pickInstance,
} from './configured-instances.js';

const configured: ConfiguredInstance[] = [
  one('00000000-0000-7000-8000-00000000000a', 'github', 'work'),
  one('00000000-0000-7000-8000-00000000000b', 'github', 'home'),
  one('00000000-0000-7000-8000-00000000000c', 'http', 'http'),
  one('00000000-0000-7000-8000-00000000000d', 'http', 'second'),
  one('00000000-0000-7000-8000-00000000000e', 'hash-encode', 'only'),
];

function one(id: string, integrationName: string, alias: string): ConfiguredInstance {
  return { integrationName, instance: { id, alias, connectionStrategy: 'fixed' }, partials: [] };
}

describe('the instance that a call means', () => {
  it.each<[string, InstanceSelector, string | undefined]>([
    ['the one with the given id', { integrationName: 'github', workspaceIntegrationId: idOf('a') }, 'work'],
    ['the id in any case', { integrationName: 'github', workspaceIntegrationId: idOf('a').toUpperCase() }, 'work'],
    [
      'the id before the alias',
      { integrationName: 'github', workspaceIntegrationId: idOf('a'), integrationAlias: 'home' },
      'work',
    ],
    ['the one with the given alias', { integrationName: 'github', integrationAlias: 'home' }, 'home'],
    ['the only one', { integrationName: 'hash-encode' }, 'only'],
    ['of several the one named as the integration', { integrationName: 'http' }, 'http'],
    ['none when none is configured', { integrationName: 'slack' }, undefined],
  ])('is %s', (_which, selector, alias) => {
    expect(pickInstance(configured, selector)?.instance.alias).toBe(alias);
  });

  it.each<[string, InstanceSelector, string]>([
    ['an unknown id', { integrationName: 'github', workspaceIntegrationId: idOf('f') }, 'workspaceIntegrationId'],
    [
      'the id of another integration',
      { integrationName: 'github', workspaceIntegrationId: idOf('c') },
      'workspaceIntegrationId',
    ],
    ['an unknown alias', { integrationName: 'github', integrationAlias: 'school' }, 'integrationAlias'],
    ['the alias of another integration', { integrationName: 'github', integrationAlias: 'http' }, 'integrationAlias'],
    ['an alias where none is configured', { integrationName: 'slack', integrationAlias: 'slack' }, 'integrationAlias'],
    ['nothing where several are configured', { integrationName: 'github' }, 'integrationAlias'],
  ])('is refused for %s', (_what, selector, key) => {
    expect(fieldsOfRefusal(selector)).toEqual({ [key]: { message: expect.any(String) } });
  });

  it('is required, with the list of aliases', () => {
    expect(fieldsOfRefusal({ integrationName: 'github' })).toMatchObject({
      integrationAlias: { message: expect.stringContaining('home, work') },
    });
  });
});

describe('the instance of a call that names none', () => {
  it.each([
    ['the only one', 'hash-encode', 'only'],
    ['of several the one named as the integration', 'http', 'http'],
    ['none where several are and no name decides', 'github', undefined],
    ['none where none is configured', 'slack', undefined],
  ])('is %s', (_which, integrationName, alias) => {
    expect(defaultInstance(configured, integrationName)?.instance.alias).toBe(alias);
  });
});

function idOf(last: string): string {
  return `00000000-0000-7000-8000-00000000000${last}`;
}

function fieldsOfRefusal(selector: InstanceSelector): unknown {
  try {
    return pickInstance(configured, selector);
  } catch (error) {
    const { code, details } = error as { code: string; details: { fields: unknown } };
    expect(code).toBe('VALIDATION_ERROR');
    return details.fields;
  }
}
