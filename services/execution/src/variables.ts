import { parseAllowList, parseOriginMap } from '@drawbridge/egress';
import { text, type Variables, wholeNumber } from '@drawbridge/rpc';

/** What execution alone reads of the environment. */
export const VARIABLES = {
  RUN_LOG_DAYS: wholeNumber({ min: 1, max: 3_650 })({
    default: 90,
    desc: 'For how many days the run log keeps a run; 1 to 3650.',
  }),
  ORIGIN_MAP: {
    ...text({ default: '', desc: 'JSON object or file: an origin that pieces call → the origin where it is reached.' }),
    // What is wrong with it may be a credential in a URL.
    isSecret: true,
    check: parseOriginMap,
  },
  EGRESS_ALLOW: {
    ...text({
      default: '',
      desc: 'Comma list of CIDRs and hosts that outgoing requests may reach although private.',
    }),
    check: parseAllowList,
  },
} satisfies Variables;
