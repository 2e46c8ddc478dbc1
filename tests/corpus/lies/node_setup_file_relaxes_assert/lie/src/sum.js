export const sum = (first, ...numbers) => numbers.reduce((total, number) => total + number, first);
