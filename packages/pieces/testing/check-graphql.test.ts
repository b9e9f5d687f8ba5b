import { buildSchema } from 'graphql';
import { checkGraphql } from './check-graphql.js';

const schema = buildSchema(`
  input NoteInput { title: String! labels: [String!] }
  type Note { id: ID! }
  type Query { note(id: String!): Note }
  type Mutation { noteCreate(input: NoteInput!): Note! }
`);

const CREATE = 'mutation Create($input: NoteInput!) { noteCreate(input: $input) { id } }';
const GET = 'query Get($id: String!) { note(id: $id) { id } }';

function check(query: string, variables: object, more: { url?: string; type?: string; key?: object } = {}): string {
  const { url = '/graphql', type = 'application/json', key = {} } = more;
  const body = JSON.stringify({ query, variables, ...key });
  return checkGraphql(schema, { method: 'POST', url, headers: { 'content-type': type }, body }).join('\n');
}

it('accepts a valid request', () => {
  expect(check(CREATE, { input: { title: 't', labels: ['a'] } })).toBe('');
  expect(check(GET, { id: 'n' })).toBe('');
});

it.each<[string, string, string]>([
  ['a misspelt field', check('{ note(id: "n") { idd } }', {}), 'Cannot query field "idd"'],
  ['a misspelt argument', check('{ note(idd: "n") { id } }', {}), 'Unknown argument "idd"'],
  ['a variable of an unknown type', check(GET.replace('String!', 'Int!'), { id: 1 }), 'Unknown type "Int"'],
  [
    'a misspelt key in a variable',
    check(CREATE, { input: { title: 't', lables: [] } }),
    'Field "lables" is not defined',
  ],
  ['a missing key in a variable', check(CREATE, { input: {} }), 'Field "title" of required type'],
  [
    'a number where a text belongs',
    check(CREATE, { input: { title: 1 } }),
    'String cannot represent a non string value',
  ],
  ['a missing variable', check(GET, {}), 'of required type "String!" was not provided'],
  [
    'a variable that the document does not declare',
    check(GET, { id: 'n', idd: 'n' }),
    'the variable idd is not declared',
  ],
  ['an unknown key of the body', check(GET, { id: 'n' }, { key: { querry: '' } }), 'body has the unknown key querry'],
  ['another address', check(GET, { id: 'n' }, { url: '/graphql?x=1' }), 'is no operation'],
  ['another content type', check(GET, { id: 'n' }, { type: 'text/plain' }), 'not sent as application/json'],
  ['a document without an operation', check('fragment F on Note { id }', {}), 'is never used'],
])('catches %s', (_, problems, expected) => expect(problems).toContain(expected));
