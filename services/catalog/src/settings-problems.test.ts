import { settingsProblems } from './settings-problems.js';

describe('settings', () => {
  it.each<[string, object]>([
    ['nothing', {}],
    ['keys of the owner', { theme: 'dark', limit: { of: 3 } }],
    ['the bounds of a timeout', { advancedCode: { timeoutSeconds: 1 } }],
    ['the other bound', { advancedCode: { timeoutSeconds: 300 } }],
    ['a persistent sandbox', { advancedCode: { sandboxPersistence: 'persistent', storageMountScope: 'end_user' } }],
    ['an external mount', { advancedCode: { storageMountScope: 'external', storageExternalId: 'x' } }],
    ['a persistence scope', { persistence: { scope: 'workspace' } }],
    ['external persistence', { persistence: { scope: 'external', externalId: 'x' } }],
    ['groups without keys', { advancedCode: {}, persistence: {} }],
  ])('may be %s', (_what, settings) => {
    expect(settingsProblems(settings)).toEqual({});
  });

  it.each<[object, string[]]>([
    [{ advancedCode: null }, ['settings.advancedCode']],
    [{ advancedCode: { timeoutSeconds: 0 } }, ['settings.advancedCode.timeoutSeconds']],
    [{ advancedCode: { timeoutSeconds: 301 } }, ['settings.advancedCode.timeoutSeconds']],
    [{ advancedCode: { timeoutSeconds: '5' } }, ['settings.advancedCode.timeoutSeconds']],
    [{ advancedCode: { timeoutSecond: 5 } }, ['settings.advancedCode.timeoutSecond']],
    [{ advancedCode: { sandboxPersistence: 'forever' } }, ['settings.advancedCode.sandboxPersistence']],
    [{ advancedCode: { storageMountScope: 'external' } }, ['settings.advancedCode.storageExternalId']],
    [{ persistence: { scope: 'none' } }, ['settings.persistence.scope']],
    [{ persistence: { scope: 'external' } }, ['settings.persistence.externalId']],
    [{ persistence: { scope: 'external', externalId: '' } }, ['settings.persistence.externalId']],
    [
      { advancedCode: { timeoutSeconds: 0, storageMountScope: 1 }, persistence: [] },
      ['settings.advancedCode.storageMountScope', 'settings.advancedCode.timeoutSeconds', 'settings.persistence'],
    ],
  ])('may not be %j', (settings, paths) => {
    expect(Object.keys(settingsProblems(settings)).sort()).toEqual(paths);
  });
});
