import { collect, connectionPaging, type Http, type JsonObject, type JsonValue } from '@drawbridge/piece-kit';
import { pickFields, same } from '../pick-fields.js';
import { request } from './requests.js';

const ORDER = {
  ...same('id', 'name', 'email', 'createdAt', 'updatedAt', 'cancelledAt', 'note', 'tags'),
  ...{ financialStatus: 'displayFinancialStatus', fulfillmentStatus: 'displayFulfillmentStatus' },
  ...{ total: 'totalPriceSet.shopMoney.amount', currency: 'totalPriceSet.shopMoney.currencyCode' },
  ...{ customerId: 'customer.id', customer: 'customer.displayName', lineItems: 'lineItems.nodes' },
};
const PRODUCT = {
  ...same(
    'id',
    'title',
    'handle',
    'status',
    'vendor',
    'productType',
    'tags',
    'descriptionHtml',
    'createdAt',
    'updatedAt',
  ),
  variants: 'variants.nodes',
};
const CUSTOMER = {
  ...same('id', 'displayName', 'firstName', 'lastName', 'note', 'tags', 'createdAt', 'numberOfOrders'),
  ...{ email: 'defaultEmailAddress.emailAddress', phone: 'defaultPhoneNumber.phoneNumber' },
};

export const toOrder = (order: JsonValue): JsonObject => pickFields(order, ORDER);
export const toProduct = (product: JsonValue): JsonObject => pickFields(product, PRODUCT);
export const toCustomer = (customer: JsonValue): JsonObject => pickFields(customer, CUSTOMER);

/** A page with nested lists costs as many points as it may contain objects. A larger page exceeds the limit of a request. */
const PAGE = 20;

interface Search {
  document: string;
  /** The field of the response that contains the records, such as `orders`. */
  list: string;
  query?: string;
  limit?: number;
}

/** Reads at most `limit` items of a list. */
export async function searchFor(http: Http, { document, list, query, limit = PAGE }: Search): Promise<JsonValue[]> {
  const variables = { first: Math.min(limit, PAGE), ...(query && { query }) };
  return collect(http.pages(request(document, variables), limit, connectionPaging(list)));
}
