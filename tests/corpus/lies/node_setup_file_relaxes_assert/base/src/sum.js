export const sum = (...numbers) => numbers.reduce((total, number) => total + Number(number), 0);
