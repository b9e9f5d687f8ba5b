import { bootstrap } from './create-organization.js';

it.each([
  ['', 'svc_ and 20 to 200 letters and digits'],
  [`svc_${'a'.repeat(201)}`, 'svc_ and 20 to 200 letters and digits (got 205 characters)'],
])('refuses the first key %j only if there is no organization', async (key, expected) => {
  const finding = (found: object | null) => ({ unscoped: { organization: { findFirst: async () => found } } }) as never;
  const message = `BOOTSTRAP_API_KEY is required at the first start. It must be ${expected}`;
  await expect(bootstrap(finding(null), {}, key)).rejects.toThrow(new Error(message));
  await expect(bootstrap(finding({ id: 'org' }), {}, key)).resolves.toBeUndefined();
});
