require_relative 'rows'

RSpec.describe 'rows' do
  it('are there') { expect($rows.size).to eq 40_000 }
  it('are not there') { expect($rows.size).to eq 0 }
end
