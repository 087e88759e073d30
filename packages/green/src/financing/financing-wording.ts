import { fill, type Values, type Wording } from '../wording.js';
import type { Programme } from './financing-data.js';
import type { Bounds, Reason } from './reason.js';

/** Puts the data into words of one language. A list names `most` items and counts the rest. */
export class FinancingSpeech {
  readonly wording: Wording;
  private readonly most: number;

  constructor(wording: Wording, most = Number.POSITIVE_INFINITY) {
    this.wording = wording;
    this.most = most;
  }

  list(items: readonly string[]): string {
    const { financing: texts, speech } = this.wording;
    const { most } = this;
    if (items.length <= most + 1) return speech.list(items);
    return speech.list([...items.slice(0, most), fill(texts.more, { count: items.length - most })]);
  }

  names<Code extends string>(codes: readonly Code[], names: Readonly<Record<Code, string>>): string {
    return this.list(codes.map((code) => names[code]));
  }

  /** `up to 250 000 USD (grant)`, or that no amount is stated. */
  amount({ ticketMin, ticketMax, ticketBasis, currency }: AmountOf): string {
    const { financing: texts, speech } = this.wording;
    if (ticketBasis === null || (ticketMin === null && ticketMax === null)) return texts.amount.none;
    const money = (value: number | null) => value !== null && speech.money(value, currency ?? '');
    const values = {
      min: money(ticketMin) || null,
      max: money(ticketMax) || null,
      basis: texts.bases[ticketBasis],
    };
    if (ticketMin === null) return fill(texts.amount.upTo, values);
    if (ticketMax === null) return fill(texts.amount.from, values);
    const isTwo = ticketBasis === 'loan_minimum_and_guarantee_ceiling';
    return fill(isTwo ? texts.amount.loanFromGuaranteeUpTo : texts.amount.between, values);
  }

  /** Why a programme fits, does not fit, or may fit. */
  reason(reason: Reason): string {
    return fill(this.wording.financing.reasons[reason.code], this.shown(reason));
  }

  private shown(reason: Reason): Values {
    const { financing: texts, speech } = this.wording;
    const countries = 'countries' in reason ? reason.countries.map((code) => speech.country(code)) : [];
    const regions = 'regions' in reason ? reason.regions.map((code) => texts.regions[code]) : [];
    return {
      places: this.list([...regions, ...countries]),
      ...('country' in reason && { country: speech.country(reason.country) }),
      ...('year' in reason && { year: reason.year }),
      ...('currency' in reason && { currency: reason.currency }),
      ...('purposes' in reason && { purposes: this.names(reason.purposes, texts.purposes) }),
      ...('sectors' in reason && { sectors: this.names(reason.sectors, texts.sectors) }),
      ...('instruments' in reason && { instruments: this.names(reason.instruments, texts.instruments) }),
      ...('applicants' in reason && { applicants: this.names(reason.applicants, texts.applicants) }),
      ...('ticketBasis' in reason && { amount: this.compared(reason) }),
    };
  }

  /** Includes the requested amount where it was converted. */
  private compared(bounds: Bounds): string {
    const { financing: texts, speech } = this.wording;
    const { converted, currency } = bounds;
    if (converted === null) return this.amount(bounds);
    return this.amount(bounds) + fill(texts.atParity, { amount: speech.money(converted, currency) });
  }
}

type AmountOf = Pick<Programme, 'ticketMin' | 'ticketMax' | 'ticketBasis' | 'currency'>;
