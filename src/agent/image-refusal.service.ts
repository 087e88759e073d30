import { Injectable } from '@nestjs/common';

import { badInput } from '../common/errors/domain-error.js';
import { AssistantsService } from '../companies/assistants/assistants.service.js';
import { CompanyProviders } from '../companies/providers/company-providers.service.js';
import { imagesAttached } from '../conversations/turns/turns.events.js';
import { ModelProviders } from '../llm/model-providers.js';
import type { Transaction } from '../platform/database/transaction.js';
import { DomainEvents } from '../platform/events/domain-events.js';

/** Refuses questions with images for a model that does not see them. */
@Injectable()
export class ImageRefusal {
  constructor(
    private readonly assistants: AssistantsService,
    private readonly companies: CompanyProviders,
    private readonly models: ModelProviders,
    events: DomainEvents,
  ) {
    events.on(imagesAttached, (tx, { assistantId, path }) => this.requireSight(tx, assistantId, path));
  }

  private async requireSight(tx: Transaction, assistantId: string, path: readonly string[]): Promise<void> {
    if (await this.seesImages(tx, assistantId)) return;
    throw badInput(
      path,
      'The model of this assistant sees no images. Ask without them, or ask another assistant.',
    );
  }

  /** An unknown model is allowed: its provider refuses what it does not take. */
  private async seesImages(tx: Transaction, assistantId: string): Promise<boolean> {
    const { model } = await this.assistants.get(tx, assistantId);
    const own = model === null ? null : await this.companies.findProviderOf(tx, model);
    const name = model ?? this.models.usual.model;
    return (own ?? this.models.installed(name)).abilitiesOf(name).sees;
  }
}
