import { type Piece, type PieceList, type Property } from '@drawbridge/proto/drawbridge/catalog/v1/integrations';
import {
  type PropertyOptions,
  type ResolvePieceOptionsRequest,
  type ResolvePiecePropertiesRequest,
} from '@drawbridge/proto/drawbridge/execution/v1/properties';
import { type IntegrationName } from '@drawbridge/proto/integration-name';
import { Body, Extension, Get, Path, Post, Route, Tags } from '@tsoa/runtime';
import { ApiController } from './api-controller.js';
import { LOOKUP } from '../clients.js';

interface ResolvePieceOptionsBody extends Omit<ResolvePieceOptionsRequest, 'pieceName'> {}

interface ResolvePiecePropertiesBody extends Omit<ResolvePiecePropertiesRequest, 'pieceName'> {}

interface ResolvedProps {
  props: { [key: string]: Property };
}

/** The catalog under its older name, for callers with connections and without workspaces. */
@Route('api/v1/pieces')
@Tags('Piece catalog')
export class PiecesController extends ApiController {
  @Get()
  @Extension('x-same-for-all', true)
  async listPieces(): Promise<PieceList> {
    return this.services.integrations.listPieces({});
  }

  @Get('{name}')
  @Extension('x-same-for-all', true)
  @Extension('x-fails', ['INTEGRATION_NOT_FOUND'])
  async getPiece(@Path() name: IntegrationName): Promise<Piece> {
    return this.services.integrations.getPiece({ name });
  }

  /**
   * Returns the options of a select property. Options that only the provider has are requested from it. If several actions have a property of this
   * name, the first action with all refreshers of the property in `input` is used. `/api/v1/integrations/{integrationName}/properties/options`
   * distinguishes them.
   */
  @Post('{name}/properties/options')
  @Extension('x-takes-long', true)
  @Extension('x-fails', [
    'INTEGRATION_NOT_FOUND',
    'CONNECTION_REQUIRED',
    'NOT_DROPDOWN',
    'NO_OPTIONS_FN',
    'OPTIONS_FAILED',
  ])
  @Extension('x-example', { propertyName: 'state' })
  async resolvePieceOptions(
    @Path() name: IntegrationName,
    @Body() body: ResolvePieceOptionsBody,
  ): Promise<PropertyOptions> {
    return this.services.properties.resolvePieceOptions({ pieceName: name, ...body }, LOOKUP);
  }

  /** Returns the properties of a dynamic property. The property is selected by the same rules as for the options of a select property. */
  @Post('{name}/properties/resolve')
  @Extension('x-takes-long', true)
  @Extension('x-fails', [
    'INTEGRATION_NOT_FOUND',
    'CONNECTION_REQUIRED',
    'NOT_DYNAMIC',
    'NO_PROPS_FN',
    'RESOLVE_FAILED',
  ])
  @Extension('x-example', {
    propertyName: 'values',
    input: { table: 'People' },
    connectionId: '01926b3c-5a2e-7c41-9d0f-2b6a4f1e8c37',
  })
  async resolvePieceProperties(
    @Path() name: IntegrationName,
    @Body() body: ResolvePiecePropertiesBody,
  ): Promise<ResolvedProps> {
    const { properties } = await this.services.properties.resolvePieceProperties({ pieceName: name, ...body }, LOOKUP);
    return { props: properties };
  }
}
