import { type BinaryWriter } from '@bufbuild/protobuf/wire';

/** The shape of the service constants that ts-proto generates (`outputServices=generic-definitions`). */
export interface MessageType<T> {
  encode(message: T, writer: BinaryWriter): { finish(): Uint8Array };
  decode(bytes: Uint8Array): T;
}

export interface MethodDefinition<Request, Response> {
  name: string;
  requestType: MessageType<Request>;
  responseType: MessageType<Response>;
}

export interface ServiceDefinition {
  fullName: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the one place where messages of all types meet
  methods: Record<string, MethodDefinition<any, any>>;
}

type RequestOf<M> = M extends { requestType: MessageType<infer Request> } ? Request : never;
type ResponseOf<M> = M extends { responseType: MessageType<infer Response> } ? Response : never;

/** The implementation of a service: one function per method. */
export type Implementation<D extends ServiceDefinition> = {
  [K in keyof D['methods']]: (request: RequestOf<D['methods'][K]>) => Promise<ResponseOf<D['methods'][K]>>;
};

export interface CallOptions {
  /** Milliseconds. Cut to the remaining time of the current call. Default 10,000. */
  timeoutMs?: number;
}

/** A client of a service: the same functions, wherever the service runs. */
export type Client<D extends ServiceDefinition> = {
  [K in keyof D['methods']]: (
    request: RequestOf<D['methods'][K]>,
    options?: CallOptions,
  ) => Promise<ResponseOf<D['methods'][K]>>;
};
