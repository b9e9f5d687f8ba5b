import { connectionPaging, listOptions, type LoadOptions } from '@drawbridge/piece-kit';
import { LOCATIONS } from './documents.js';
import { request } from './requests.js';

/** Lists the locations of the shop: https://shopify.dev/docs/api/admin-graphql/latest/queries/locations */
export const locations: LoadOptions = ({ http }) =>
  listOptions(http, request(LOCATIONS, { first: 100 }), { paging: connectionPaging('locations') });
