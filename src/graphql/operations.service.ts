import { Injectable } from '@nestjs/common';
import { GraphQLSchemaHost } from '@nestjs/graphql';
import {
  execute,
  type ExecutionArgs,
  type ExecutionResult,
  getOperationAST,
  GraphQLError,
  type OperationDefinitionNode,
} from 'graphql';

import { type GraphQLContext, Loaders, type ResultSink } from '../companies/auth/graphql-context.js';
import { Config } from '../common/config/config.js';
import type { Viewer } from '../companies/auth/viewer.js';
import { clientGone } from './http/http-context.js';
import { schemaError } from './introspection.js';
import { costError } from './limits/operation-limits.js';
import { ParsedDocuments } from './parsed-documents.js';
import { TrustedDocuments } from './trusted-documents.service.js';
import { UsageLimits } from './limits/usage-limits.service.js';

interface OperationRequest {
  query: string;
  variables?: Record<string, unknown> | null | undefined;
  operationName?: string | null | undefined;
}

export interface Operation {
  definition: OperationDefinitionNode;
  args: ExecutionArgs;
  /** Releases its place. Call it when the operation is over, however it ended. A second call does nothing. */
  release: () => void;
}

function nothing(): void {
  return undefined;
}

/** Deeply nested brackets overflow the parser's stack. */
function nestedTooDeep(): GraphQLError {
  return new GraphQLError('The operation, or a variable, is nested too deep.');
}

/** The same checks as Apollo's over plain HTTP. */
@Injectable()
export class Operations {
  private documents: ParsedDocuments | null = null;

  constructor(
    private readonly host: GraphQLSchemaHost,
    private readonly limits: UsageLimits,
    private readonly trusted: TrustedDocuments,
    private readonly config: Config,
  ) {}

  /** Rejects with RATE_LIMITED, and with UNAVAILABLE when the client `hasLeft` before its operation's turn. */
  async prepare(
    viewer: Viewer,
    request: OperationRequest,
    hasLeft: () => boolean,
    results?: ResultSink,
  ): Promise<Operation | readonly GraphQLError[]> {
    await this.limits.countOperation(viewer);
    if (hasLeft()) throw clientGone();
    const checked = this.limits.measure(viewer, () => this.check(viewer, this.trusted.resolve(request)));
    if (!('definition' in checked)) return checked;
    const { definition, args } = checked;
    const isSubscription = definition.operation === 'subscription';
    return {
      definition,
      args: { ...args, contextValue: { viewer, loaders: new Loaders(viewer), ...(results && { results }) } },
      release: isSubscription ? this.limits.takeSubscription(viewer) : nothing,
    };
  }

  /** Executes a prepared query or mutation. Counts the thread time if it never waits; otherwise its fields count it. */
  execute(args: ExecutionArgs): ExecutionResult | Promise<ExecutionResult> {
    const { viewer } = args.contextValue as GraphQLContext;
    const startedAt = performance.now();
    const result = execute(args);
    if (viewer && !(result instanceof Promise))
      this.limits.addThreadTime(viewer, performance.now() - startedAt);
    return result;
  }

  private check(
    viewer: Viewer,
    { query, variables, operationName }: OperationRequest,
  ): Pick<Operation, 'definition' | 'args'> | readonly GraphQLError[] {
    const { schema } = this.host;
    // The schema is complete only after the services are created.
    this.documents ??= new ParsedDocuments(schema);
    try {
      const document = this.documents.get(query);
      if (!('kind' in document)) return document;
      const definition = getOperationAST(document, operationName);
      if (!definition)
        return [new GraphQLError('Name one of the operations of the document as operationName.')];
      const refusal =
        schemaError(document, this.config.http.introspection, viewer) ??
        costError(schema, document, variables, operationName);
      if (refusal) return [refusal];
      return {
        definition,
        args: {
          schema,
          document,
          operationName: operationName ?? null,
          variableValues: variables ?? null,
        },
      };
    } catch (error) {
      if (error instanceof GraphQLError) return [error];
      if (error instanceof RangeError) return [nestedTooDeep()];
      throw error;
    }
  }
}
