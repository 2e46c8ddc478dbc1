//! Small matrices of integers.

use std::fmt;

#[derive(Debug, Clone, PartialEq)]
pub struct Matrix {
    columns: usize,
    cells: Vec<i64>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum ShapeError {
    NoRows,
    Ragged { row: usize, columns: usize, expected: usize },
}

impl fmt::Display for ShapeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ShapeError::NoRows => write!(f, "no rows"),
            ShapeError::Ragged { row, columns, expected } => {
                write!(f, "row {row} has {columns} columns, not {expected}")
            }
        }
    }
}

impl std::error::Error for ShapeError {}

impl Matrix {
    pub fn new(rows: &[&[i64]]) -> Result<Matrix, ShapeError> {
        let expected = rows.first().ok_or(ShapeError::NoRows)?.len();
        if let Some((row, cells)) = rows.iter().enumerate().find(|(_, cells)| cells.len() != expected) {
            return Err(ShapeError::Ragged { row, columns: cells.len(), expected });
        }
        Ok(Matrix { columns: expected, cells: rows.concat() })
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
    use super::{Matrix, ShapeError};

    #[test]
    fn transpose() -> Result<(), ShapeError> {
        let matrix = Matrix::new(&[&[1, 2, 3], &[4, 5, 6]])?;
        assert_eq!(matrix.transpose(), Matrix::new(&[&[1, 4], &[2, 5], &[3, 6]])?);
        Ok(())
    }

    #[test]
    fn empty() {
        let error = Matrix::new(&[]).unwrap_err();
        assert_eq!(error, ShapeError::NoRows);
        assert_eq!(error.to_string(), "no rows");
    }

    #[test]
    fn ragged() {
        let error = Matrix::new(&[&[1, 2], &[3]]).unwrap_err();
        assert_eq!(error, ShapeError::Ragged { row: 1, columns: 1, expected: 2 });
        assert_eq!(error.to_string(), "row 1 has 1 columns, not 2");
    }
}
