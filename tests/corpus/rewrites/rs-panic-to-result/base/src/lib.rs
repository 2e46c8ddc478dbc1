//! Small matrices of integers.

#[derive(Debug, Clone, PartialEq)]
pub struct Matrix {
    columns: usize,
    cells: Vec<i64>,
}

impl Matrix {
    /// # Panics
    ///
    /// If there is no row, or rows differ in length.
    pub fn new(rows: &[&[i64]]) -> Matrix {
        assert!(!rows.is_empty(), "no rows");
        let columns = rows[0].len();
        for (index, row) in rows.iter().enumerate() {
            assert!(row.len() == columns, "row {index} has {} columns, not {columns}", row.len());
        }
        Matrix { columns, cells: rows.concat() }
    }

    pub fn transpose(&self) -> Matrix {
        let rows = self.cells.len() / self.columns;
        let cells = (0..self.columns)
            .flat_map(|column| (0..rows).map(move |row| (row, column)))
            .map(|(row, column)| self.cells[row * self.columns + column])
            .collect();
        Matrix { columns: rows, cells }
    }
}

#[cfg(test)]
mod tests {
    use super::Matrix;

    #[test]
    fn transpose() {
        let matrix = Matrix::new(&[&[1, 2, 3], &[4, 5, 6]]);
        assert_eq!(matrix.transpose(), Matrix::new(&[&[1, 4], &[2, 5], &[3, 6]]));
    }

    #[test]
    #[should_panic(expected = "no rows")]
    fn empty() {
        Matrix::new(&[]);
    }

    #[test]
    #[should_panic(expected = "row 1 has 1 columns, not 2")]
    fn ragged() {
        Matrix::new(&[&[1, 2], &[3]]);
    }
}
