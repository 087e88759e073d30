import { inLanguage } from '../common/text/in-language.js';

/** Why a call gave nothing: the model acts upon it, and people are shown it. */
interface SkillRefusals {
  noSuchSkill: (key: string) => string;
  failed: string;
  late: (seconds: number) => string;
  needsApproval: string;
}

/** In the assistant's language. */
export const refusalsIn = inLanguage<SkillRefusals>({
  en: {
    noSuchSkill: (key) => `There is no skill ${key} that could be called.`,
    failed: 'The skill failed for a reason of its own. Do not call it again the same way.',
    late: (seconds) => `The skill took longer than its ${seconds} seconds.`,
    needsApproval: 'A person has to allow this skill first. Ask for it again.',
  },
  fr: {
    noSuchSkill: (key) => `Aucun outil ${key} ne peut être appelé.`,
    failed: 'L’outil a échoué pour une raison qui lui est propre. Ne pas le rappeler de la même façon.',
    late: (seconds) => `L’outil a dépassé ses ${seconds} secondes.`,
    needsApproval: 'Une personne doit d’abord autoriser cet outil. Le redemander.',
  },
  es: {
    noSuchSkill: (key) => `No hay ninguna herramienta ${key} que se pueda llamar.`,
    failed: 'La herramienta ha fallado por un motivo propio. No volver a llamarla de la misma forma.',
    late: (seconds) => `La herramienta ha tardado más de sus ${seconds} segundos.`,
    needsApproval: 'Una persona tiene que autorizar antes esta herramienta. Vuelva a pedirla.',
  },
  zh: {
    noSuchSkill: (key) => `沒有可以呼叫的工具 ${key}。`,
    failed: '工具因自身原因失敗，請勿以相同方式再次呼叫。',
    late: (seconds) => `工具執行超過 ${seconds} 秒。`,
    needsApproval: '須先有人允許此工具，請再次提出。',
  },
});
