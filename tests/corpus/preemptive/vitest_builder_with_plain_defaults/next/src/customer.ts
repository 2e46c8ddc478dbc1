export interface Customer {
  name: string;
  since: number;
  spent: number;
}

export type Tier = 'none' | 'silver' | 'gold';

/** Gold for much money or ten years, silver for some money. */
export function tierOf({ since, spent }: Customer, year = 2024): Tier {
  if (spent >= 100_000 || year - since >= 10) return 'gold';
  return spent > 20_000 ? 'silver' : 'none';
}
