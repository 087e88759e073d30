/**
 * Texts that have nothing to do with each other, in several languages. How alike a model finds them is how alike it
 * finds anything: from about 0.1 for some models to 0.8 for others.
 */
export const unrelatedTexts: readonly string[] = [
  'The meeting about the annual budget has been moved to Thursday afternoon.',
  'Pour la pâte, mélangez la farine, les œufs et une pincée de sel.',
  'El tren de las siete sale del andén número cuatro.',
  '這座山的登山步道因颱風暫時關閉。',
  'Mitochondria supply most of the energy that a cell uses.',
  'My sister plays the cello in a small orchestra.',
  'Le contrat de location prend fin le 31 décembre.',
  'La selección perdió el partido en los penaltis.',
  'Rotate the tyres every ten thousand kilometres.',
  '她最喜歡的顏色是深藍色。',
  'The emperor had the wall extended towards the west.',
  'Ce médicament se prend à jeun, avec un grand verre d’eau.',
];

/** Where a model finds everything alike, what it finds very much alike still counts. */
const MOST_NOISE = 0.85;

/**
 * The similarity above which two texts have something to do with each other, by what a model makes of texts that have
 * not: their mean similarity and two standard deviations.
 */
export const noiseOf = (vectors: readonly Float32Array[]): number => {
  const similarities = vectors.flatMap((one, index) =>
    vectors.slice(index + 1).map((other) => dotProduct(one, other)),
  );
  const mean = average(similarities);
  const deviation = Math.sqrt(average(similarities.map((similarity) => (similarity - mean) ** 2)));
  return Math.min(MOST_NOISE, mean + 2 * deviation);
};

const dotProduct = (one: Float32Array, other: Float32Array): number =>
  one.reduce((sum, number, index) => sum + number * (other[index] ?? 0), 0);

const average = (numbers: readonly number[]): number =>
  numbers.reduce((sum, number) => sum + number, 0) / Math.max(1, numbers.length);
