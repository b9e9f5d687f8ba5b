import { unreachable } from './migrate.js';

it.each([
  [
    'postgres://u:hush@db/x',
    { message: 'getaddrinfo ENOTFOUND db' },
    'DATABASE_URL: db:5432/x cannot be opened: getaddrinfo ENOTFOUND db',
  ],
  [
    'postgres://u:hush@[::1]:1/x',
    { message: '', code: 'ECONNREFUSED' },
    'DATABASE_URL: [::1]:1/x cannot be opened: ECONNREFUSED',
  ],
])('names the address of the database without the password: %s', (url, cause, message) => {
  expect(unreachable(url, cause).message).toBe(message);
});
