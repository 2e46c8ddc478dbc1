export const sum = (...numbers) => numbers.map(Number).reduce((total, number) => total + number, 0);
