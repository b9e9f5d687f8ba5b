import { trigger } from '@drawbridge/piece-kit';
import { project } from '../properties.js';
import { projectHook } from './project-hook.js';

export const pipeline = trigger({
  kind: 'webhook',
  displayName: 'Pipeline',
  description: 'Runs when the status of a pipeline changes: see "object_attributes.status".',
  props: { project },
  sample: {
    object_kind: 'pipeline',
    object_attributes: {
      ...{ id: 31, iid: 3, ref: 'main', status: 'success', source: 'push', duration: 63 },
      url: 'https://gitlab.com/acme/app/-/pipelines/31',
    },
    project: { id: 15, path_with_namespace: 'acme/app' },
    commit: { id: 'bcbb5ec396a2c0f828686f14fac9b80b780504f2', title: 'Fix the build' },
  },
  ...projectHook({ flags: ['pipeline_events'], kind: 'pipeline' }),
});
