// Writes OPERATIONS.md: which method calls which operation. tests/test_operations.py calls every method of this table, with both clients.
import { snake } from './names.mjs';
import { fieldsOf } from './write-resources.mjs';

const HEAD = `# Operations

Generated from the OpenAPI document. \`e2e/sdk-python.test.ts\` calls each of these methods against the product, with both clients.

| Operation | Request | Method of the client |
| --------- | ------- | -------------------- |
`;

/** Returns the text of OPERATIONS.md. */
export function writeTable({ methods, schemas }) {
  const rows = methods.flatMap(([resource, list]) =>
    list.map((method) => {
      const { operation, by, name } = method;
      const ids = [...operation.pathNames, ...(by ? [by] : [])].map(snake);
      const rest = fieldsOf(method, schemas).length > 0 ? ['…'] : [];
      return `| ${operation.id} | \`${operation.method} ${operation.path}\` | \`${snake(resource)}.${snake(name)}(${[...ids, ...rest].join(', ')})\` |\n`;
    }),
  );
  return HEAD + rows.join('');
}
