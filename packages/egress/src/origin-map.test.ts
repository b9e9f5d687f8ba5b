import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fromMappedUrl, parseOriginMap, readOriginMap, toAddress } from './origin-map.js';

const GITHUB = 'https://api.github.com';
const origins = readOriginMap({
  [GITHUB]: 'https://ghe.internal/api/v3/',
  'https://login.example:443/': 'http://127.0.0.1:4010',
});

describe('ORIGIN_MAP', () => {
  it.each([
    [`${GITHUB}/repos/a/b?page=2&q=%20`, 'https://ghe.internal/api/v3/repos/a/b?page=2&q=%20'],
    [`${GITHUB}`, 'https://ghe.internal/api/v3/'],
    [`${GITHUB}/a/../../b`, 'https://ghe.internal/api/v3/b'],
    [`${GITHUB}/%2e%2e/%2E%2E/b`, 'https://ghe.internal/api/v3/b'],
    [`${GITHUB}//evil.example/x`, 'https://ghe.internal/api/v3//evil.example/x'],
    ['https://login.example//evil.example/x', 'http://127.0.0.1:4010//evil.example/x'],
    ['https://login.example/token', 'http://127.0.0.1:4010/token'],
    ['http://api.github.com/x', 'http://api.github.com/x'],
    [`${GITHUB}:8443/x`, `${GITHUB}:8443/x`],
    ['https://uploads.api.github.com/x', 'https://uploads.api.github.com/x'],
  ])('%s is reached at %s', (url, reached) => {
    const { origin, path } = toAddress(new URL(url), origins);
    expect(origin + path).toBe(reached);
  });

  it.each([
    ['https://ghe.internal/api/v3/repositories/1?a=b', `${GITHUB}/repositories/1?a=b`],
    ['https://ghe.internal/api/v3', `${GITHUB}/`],
    ['https://ghe.internal/api/v30/x', 'https://ghe.internal/api/v30/x'],
    ['https://ghe.internal/login', 'https://ghe.internal/login'],
    ['https://other.example/api/v3/x', 'https://other.example/api/v3/x'],
  ])('a redirect there to %s means %s', (reached, url) => {
    expect(fromMappedUrl(new URL(reached), GITHUB, origins).href).toBe(url);
  });
});

describe('parseOriginMap', () => {
  it('reads nothing as no mapping', () => {
    expect([parseOriginMap(undefined), parseOriginMap(' ')]).toEqual([{}, {}]);
  });

  it('reads a JSON object, and the file that holds one', async () => {
    const map = { [GITHUB]: 'http://127.0.0.1:4010' };
    const folder = await mkdtemp(join(tmpdir(), 'origin-map-'));
    await writeFile(join(folder, 'map.json'), JSON.stringify(map));
    expect(parseOriginMap(JSON.stringify(map))).toEqual(map);
    expect(parseOriginMap(join(folder, 'map.json'))).toEqual(map);
    await rm(folder, { recursive: true });
  });

  it.each([
    ['/no/such/file', 'neither a JSON object nor the path of a readable file'],
    ['{"https://a.example": ', 'not valid JSON'],
    ['{"https://a.example": 1}', 'the target of "https://a.example" is not a string'],
    ['{"a.example": "http://b.example"}', '"a.example" is not an http or https origin'],
    ['{"https://a.example/path": "http://b.example"}', '"https://a.example/path" is not an http or https origin'],
    ['{"https://a.example": "b.example"}', 'the target of "https://a.example" is not'],
    ['{"https://a.example": "http://u:secret@b.example"}', 'the target of "https://a.example" is not'],
    ['{"https://a.example": "http://b.example/?key=secret"}', 'the target of "https://a.example" is not'],
    ['{"https://a.example": "ftp://b.example"}', 'the target of "https://a.example" is not'],
  ])('refuses %s', (text, message) => {
    expect(() => parseOriginMap(text)).toThrow(message);
    expect(() => parseOriginMap(text)).not.toThrow('secret');
  });
});
