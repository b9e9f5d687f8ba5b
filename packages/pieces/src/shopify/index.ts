import { authorizationHeader, type Credential, piece, textAt } from '@drawbridge/piece-kit';
import { adjustInventory } from './actions/adjust-inventory.js';
import { cancelOrder } from './actions/cancel-order.js';
import { createCustomer } from './actions/create-customer.js';
import { createOrder } from './actions/create-order.js';
import { createProduct } from './actions/create-product.js';
import { findCustomer } from './actions/find-customer.js';
import { fulfillOrder } from './actions/fulfill-order.js';
import { getOrder } from './actions/get-order.js';
import { refundOrder } from './actions/refund-order.js';
import { searchOrders } from './actions/search-orders.js';
import { searchProducts } from './actions/search-products.js';
import { updateProduct } from './actions/update-product.js';
import { SHOP } from './documents.js';
import { failedWhen, request } from './requests.js';
import { customerCreated } from './triggers/customer-created.js';
import { orderCreated } from './triggers/order-created.js';
import { orderFulfilled } from './triggers/order-fulfilled.js';
import { orderPaid } from './triggers/order-paid.js';

const shop = {
  displayName: 'Shop',
  description: 'The first part of the address of the shop: "acme" of acme.myshopify.com.',
};

export const shopify = piece({
  name: 'shopify',
  displayName: 'Shopify',
  description: 'Manages orders, products, customers and stock of a shop.',
  categories: ['COMMERCE'],
  origin: 'https://{shop}.myshopify.com',
  auth: {
    types: ['OAUTH2', 'CUSTOM_AUTH'],
    required: true,
    description: 'The Admin API access token of a custom app of the shop.',
    account: { shop },
    props: {
      shop: { ...shop, required: true, secret: false },
      accessToken: { displayName: 'Access token', description: 'Such as shpat_….', required: true, secret: true },
    },
    test: (http) => http.json(request(SHOP)),
    afterConnect: async (http) => ({ label: textAt(await http.json(request(SHOP)), 'data', 'shop', 'name') }),
    // Access tokens do not expire: https://shopify.dev/docs/apps/build/authentication-authorization/access-tokens/authorization-code-grant
    oauth2: {
      authUrl: 'https://{shop}.myshopify.com/admin/oauth/authorize',
      tokenUrl: 'https://{shop}.myshopify.com/admin/oauth/access_token',
      scopes: [
        ...['read_orders', 'write_orders', 'read_products', 'write_products', 'read_customers', 'write_customers'],
        ...['read_inventory', 'write_inventory', 'read_locations', 'write_merchant_managed_fulfillment_orders'],
      ],
      scopeSeparator: ',',
      refresh: 'none',
    },
  },
  http: {
    authorize,
    failedWhen,
    // The quota is restored every second: https://shopify.dev/docs/api/usage/limits
    rateLimit: { when: [{ code: 'THROTTLED' }], seconds: 2 },
  },
  actions: {
    search_orders: searchOrders,
    get_order: getOrder,
    create_order: createOrder,
    cancel_order: cancelOrder,
    fulfill_order: fulfillOrder,
    refund_order: refundOrder,
    create_product: createProduct,
    update_product: updateProduct,
    search_products: searchProducts,
    create_customer: createCustomer,
    find_customer: findCustomer,
    adjust_inventory: adjustInventory,
  },
  triggers: {
    order_created: orderCreated,
    order_paid: orderPaid,
    order_fulfilled: orderFulfilled,
    customer_created: customerCreated,
  },
});

/** Returns the header with the access token: https://shopify.dev/docs/api/admin-graphql#authentication */
function authorize(credential: Credential): Record<string, string> {
  if (credential.type === 'CUSTOM_AUTH')
    return { 'x-shopify-access-token': textAt(credential.props, 'accessToken') ?? '' };
  if ('accessToken' in credential) return { 'x-shopify-access-token': credential.accessToken };
  return authorizationHeader(credential);
}
