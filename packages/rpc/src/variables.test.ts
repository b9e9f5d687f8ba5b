import { gatewayUrl } from './variables.js';

it.each([
  [{ BASE_URL: 'https://drawbridge.example/in', HOST: '0.0.0.0', PORT: 8080 }, 'https://drawbridge.example/in'],
  [{ BASE_URL: '', HOST: '127.0.0.1', PORT: 8080 }, 'http://127.0.0.1:8080'],
  [{ BASE_URL: '', HOST: '0.0.0.0', PORT: 9000 }, 'http://localhost:9000'],
  [{ BASE_URL: '', HOST: '::', PORT: 9000 }, 'http://localhost:9000'],
  [{ BASE_URL: '', HOST: 'fd00::1', PORT: 80 }, 'http://[fd00::1]:80'],
])('finds the gateway of %j at %s', (config, url) => expect(gatewayUrl(config)).toBe(url));
