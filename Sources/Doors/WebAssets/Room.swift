// WebAssets
