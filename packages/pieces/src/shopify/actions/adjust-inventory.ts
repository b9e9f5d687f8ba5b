import { action, dropdown, member, number, shortText, staticDropdown } from '@drawbridge/piece-kit';
import { ADJUST_INVENTORY } from '../documents.js';
import { locations } from '../options.js';
import { mutate, onlyOnce, toGid } from '../requests.js';

const ID = '^([0-9]{1,20}|gid://shopify/[A-Za-z]{1,40}/[0-9]{1,20})$';

/** Changes the available stock of a variant at a location: https://shopify.dev/docs/api/admin-graphql/latest/mutations/inventoryAdjustQuantities */
export const adjustInventory = action({
  displayName: 'Adjust inventory',
  description: 'Adds to or removes from the available stock of a variant at a location.',
  category: 'write',
  props: {
    inventory_item_id: shortText('Inventory item', {
      required: true,
      description: 'Inventory item of a variant, from "Search products".',
      pattern: ID,
    }),
    location_id: dropdown('Location', {
      required: true,
      description: 'The id of a location.',
      pattern: ID,
      options: locations,
    }),
    change: number('Change', {
      required: true,
      description: 'How many are added; negative: removed.',
      integer: true,
      minimum: -1_000_000_000,
      maximum: 1_000_000_000,
    }),
    reason: staticDropdown('Reason', ['correction', 'received', 'damaged', 'shrinkage', 'restock', 'promotion'], {
      description: 'Why it changes. Defaults to correction.',
    }),
  },
  run: async ({ http, runId, input: { inventory_item_id, location_id, change, reason = 'correction' } }) => {
    const changes = [
      {
        ...{ delta: change, inventoryItemId: toGid('InventoryItem', inventory_item_id) },
        // Without this field Shopify rejects the change. Null accepts any current stock.
        changeFromQuantity: null,
        locationId: toGid('Location', location_id),
      },
    ];
    const input = { name: 'available', reason, changes };
    const payload = await mutate(http, ADJUST_INVENTORY, { input, ...onlyOnce(runId) });
    return member(payload, 'inventoryAdjustmentGroup') ?? {};
  },
});
