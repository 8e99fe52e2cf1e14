Row=Struct.new(:id,:name,:a,:b,:c,:d,:e,:f,:g,:h)
$v=Array.new(20000){|i| Row.new(i,"n#{i}",1,2,3,4,5,6,7,8)}
