import { readPlatformApps } from './platform-apps.js';

it('reads the apps of each integration', () => {
  const github = { clientId: 'c', clientSecret: 's', scopes: ['repo'] };
  expect([...readPlatformApps(JSON.stringify({ github }))]).toEqual([['github', { ...github, id: null }]]);
  expect(readPlatformApps(' ').size).toBe(0);
});

it('reads the webhook secret of an app with events', () => {
  const slack = { clientId: 'c', clientSecret: 's', webhookSecret: 'w' };
  expect(readPlatformApps(JSON.stringify({ slack })).get('slack')).toEqual({ ...slack, id: null });
});

it.each([
  ['hush', 'neither a JSON object nor the path'],
  ['{hush', 'must be JSON'],
  ['{"github": "hush"}', 'github must be an object'],
  ['{"github": {"clientId": 1, "clientSecret": "hush"}}', 'github.clientId'],
  ['{"github": {"clientId": "c", "clientSecret": "hush", "scopes": "repo"}}', 'github.scopes'],
  ['{"slack": {"clientId": "c", "clientSecret": "hush", "webhookSecret": ""}}', 'slack.webhookSecret'],
  ['{"github": {"clientId": "c", "clientSecret": "s", "hush": 1}}', 'github has an unknown key'],
])('refuses %s with the problem but not the value', (text, words) => {
  expect(() => readPlatformApps(text)).toThrow(words);
  expect(() => readPlatformApps(text)).not.toThrow('hush');
});
