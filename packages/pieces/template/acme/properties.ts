import { dropdown, listOptions, type LoadOptions, number, textAt } from '@drawbridge/piece-kit';

/** Finds projects by name: https://acme.example/docs/projects */
const projects: LoadOptions = ({ http, search }) =>
  listOptions(
    http,
    { method: 'GET', path: '/projects', query: { search } },
    { label: (project) => textAt(project, 'name') ?? '', limit: 300 },
  );

export const project = dropdown('Project', {
  required: true,
  description: 'The id of a project.',
  options: projects,
});

export const limit = number('Limit', {
  description: 'The maximum number of tasks. Defaults to 100.',
  integer: true,
  minimum: 1,
  maximum: 1000,
});
