// Shapes: local
import { drawbridge } from './support/drawbridge.js';
import { expectUsable, SCREENS } from './support/browser.js';
import { type Visitor, visitor } from './support/visitor.js';

let someone: Visitor;
let url: string;

beforeAll(async () => {
  someone = await visitor();
  url = `${(await drawbridge()).baseUrl}/docs`;
});
afterAll(() => someone?.close());
afterEach(() => someone.leave());

it.each(SCREENS)(
  'the API reference shows the operations, loads nothing from other hosts and is usable: %s',
  async (screen, options) => {
    const page = await someone.open('about:blank', options);
    const wrong: string[] = [];
    page.on('console', (message) => message.type() === 'error' && wrong.push(message.text()));
    page.on('pageerror', ({ message }) => wrong.push(message));
    page.on('request', (request) => new URL(request.url()).origin !== new URL(url).origin && wrong.push(request.url()));
    await page.goto(url);
    await page.getByRole('heading', { name: 'Drawbridge', level: 1 }).waitFor();
    await page.getByRole('heading', { name: 'Actions' }).first().waitFor();
    await expectUsable(page, `api-reference, ${screen}`);
    expect(wrong).toEqual([]);
  },
);
