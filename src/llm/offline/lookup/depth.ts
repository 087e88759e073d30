import type { Question } from '../message.js';

const thorough =
  /\b(?:approfondie?s?|approfondir|en profondeur|exhausti\w*|tour d'horizon|etude complete|compare[rsz]? (?:tous|toutes|l'ensemble|chacun)|thorough\w*|in[- ]depth|comprehensive\w*|deep (?:research|dive|analysis|comparison)|compare (?:all|every)|a fondo|en profundidad|profunda|estudio completo|compara(?:r|me)? (?:todos|todas|todo))\b|深入|詳盡|徹底|全面|完整(?:地)?比較|比較(?:所有|全部)|(?:所有|全部).{0,12}比較/;

/** «A thorough comparison of all …»: nobody would wait for it in front of a screen. */
export const asksForDepth = ({ now }: Question): boolean => thorough.test(now.reading.folded);
